import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProgram } from '../tools/find-program.ts'
import { createClaudeCli, findClaude } from './index.ts'

let root: string
beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-claude-'))))
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

/** A program in `folder` that says `text` when asked for its version. */
function program(folder: string, script: string, name = 'claude'): string {
  const file = path.join(root, folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, script, { mode: 0o755 })
  return file
}
const says = (text: string) => `#!/bin/sh\n[ "$1" = --version ] && echo '${text}'\n`
const places = (more: object = {}) => ({ claudeBin: null, path: '/usr/bin:/bin', userHome: path.join(root, 'home'), ...more })

describe('the Claude Code program of this machine', () => {
  it('is the one the user named, else the first on PATH, else where the installers put it', () => {
    const local = program('home/.claude/local', says('1'))
    expect(findClaude(places())).toBe(local)
    const onPath = program('bin', says('2'))
    expect(findClaude(places({ path: path.dirname(onPath) }))).toBe(onPath)
    const named = program('own', says('3'), 'my-claude')
    expect(findClaude(places({ path: path.dirname(onPath), claudeBin: named }))).toBe(named)
    expect(findClaude(places({ path: path.dirname(onPath), claudeBin: path.join(root, 'gone') }))).toBe(null)
  })

  it('is looked for past what leads nowhere: a link into itself, as well as a folder that may not be entered', () => {
    const circle = path.join(root, 'circle')
    fs.mkdirSync(circle)
    fs.symlinkSync('claude', path.join(circle, 'claude'))
    const onPath = program('bin', says('2'))
    expect(findClaude(places({ path: `${circle}:${path.dirname(onPath)}` }))).toBe(onPath)
    expect(findProgram('claude', `${circle}:${path.dirname(onPath)}`)).toBe(onPath)
    expect(findClaude(places({ claudeBin: path.join(circle, 'claude') }))).toBe(null)
  })

  it('tells its version, also as a cli.js', async () => {
    const version = (claudeBin: string) => createClaudeCli(places({ claudeBin })).version()
    expect(await version(program('a', says('2.1.329 (Claude Code)')))).toBe('2.1.329')
    expect(await version(program('b', "console.log('1.0.128 (Claude Code)')", 'cli.js'))).toBe('1.0.128')
  })

  it('is unknown where it is absent, fails, or says something else', async () => {
    const version = (claudeBin: string) => createClaudeCli(places({ claudeBin })).version()
    expect(await version(path.join(root, 'gone'))).toBe(null)
    expect(await version(program('a', '#!/bin/sh\nexit 1\n'))).toBe(null)
    expect(await version(program('b', says('hello')))).toBe(null)
    expect(await version(program('c', '#!/no/such/interpreter\n'))).toBe(null)
  })

  it('is asked once, and again when it was updated', async () => {
    const log = path.join(root, 'asked')
    const script = (version: string) => `#!/bin/sh\necho x >>'${log}'\necho ${version}\n`
    const bin = program('a', script('2.1.1'))
    const cli = createClaudeCli(places({ claudeBin: bin }))
    expect([await cli.version(), await cli.version()]).toEqual(['2.1.1', '2.1.1'])
    program('a', script('2.1.100'))
    expect(await cli.version()).toBe('2.1.100')
    expect(fs.readFileSync(log, 'utf8')).toBe('x\nx\n')
  })
})
