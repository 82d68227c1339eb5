import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { findProgram } from '../tools/find-program.ts'
import { agentProgram } from './program.ts'
import { CLAUDE_CODE, CODEX, createAgentCli, findAgent, OPENCODE } from './index.ts'

let root: string
beforeEach(() => (root = newFolder()))

/** Writes an executable script into `folder`, and returns its path. */
function writeProgram(folder: string, script: string, name = 'claude'): string {
  const file = path.join(root, folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, script, { mode: 0o755 })
  return file
}
const versionScript = (text: string) => `#!/bin/sh\n[ "$1" = --version ] && echo '${text}'\n`
const places = (more: object = {}) => ({ bin: null, path: '/usr/bin:/bin', userHome: path.join(root, 'home'), ...more })

describe('the Claude Code program of this machine', () => {
  it('is the one that the user set, else the first on PATH, else in a folder of the installers', () => {
    const local = writeProgram('home/.claude/local', versionScript('1'))
    expect(findAgent(CLAUDE_CODE, places())).toBe(local)
    const onPath = writeProgram('bin', versionScript('2'))
    expect(findAgent(CLAUDE_CODE, places({ path: path.dirname(onPath) }))).toBe(onPath)
    const named = writeProgram('own', versionScript('3'), 'my-claude')
    expect(findAgent(CLAUDE_CODE, places({ path: path.dirname(onPath), bin: named }))).toBe(named)
    expect(findAgent(CLAUDE_CODE, places({ path: path.dirname(onPath), bin: path.join(root, 'missing') }))).toBe(null)
  })

  it('is found although PATH has circular links and folders without permission', () => {
    const circle = path.join(root, 'circle')
    fs.mkdirSync(circle)
    fs.symlinkSync('claude', path.join(circle, 'claude'))
    const onPath = writeProgram('bin', versionScript('2'))
    expect(findAgent(CLAUDE_CODE, places({ path: `${circle}:${path.dirname(onPath)}` }))).toBe(onPath)
    expect(findProgram('claude', `${circle}:${path.dirname(onPath)}`)).toBe(onPath)
    expect(findAgent(CLAUDE_CODE, places({ bin: path.join(circle, 'claude') }))).toBe(null)
  })

  it('reports its version, also if it is a cli.js', async () => {
    const version = (bin: string) => createAgentCli(CLAUDE_CODE, places({ bin })).version()
    expect(await version(writeProgram('a', versionScript('2.1.329 (Claude Code)')))).toBe('2.1.329')
    expect(await version(writeProgram('b', "console.log('1.0.128 (Claude Code)')", 'cli.js'))).toBe('1.0.128')
  })

  it('has an unknown version if the program is missing, fails or prints something else', async () => {
    const version = (bin: string) => createAgentCli(CLAUDE_CODE, places({ bin })).version()
    expect(await version(path.join(root, 'missing'))).toBe(null)
    expect(await version(writeProgram('a', '#!/bin/sh\nexit 1\n'))).toBe(null)
    expect(await version(writeProgram('b', versionScript('hello')))).toBe(null)
    expect(await version(writeProgram('c', '#!/no/such/interpreter\n'))).toBe(null)
  })

  it('is asked for its version once, and again after an update', async () => {
    const log = path.join(root, 'calls')
    const script = (version: string) => `#!/bin/sh\necho x >>'${log}'\necho ${version}\n`
    const bin = writeProgram('a', script('2.1.1'))
    const cli = createAgentCli(CLAUDE_CODE, places({ bin }))
    expect([await cli.version(), await cli.version()]).toEqual(['2.1.1', '2.1.1'])
    writeProgram('a', script('2.1.100'))
    expect(await cli.version()).toBe('2.1.100')
    expect(fs.readFileSync(log, 'utf8')).toBe('x\nx\n')
  })

  it("is the native program that npm's script starts, if its path is known", () => {
    const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])
    const native = (...names: string[]) => {
      const file = writeProgram(path.join(...names.slice(0, -1)), '', names.at(-1))
      fs.writeFileSync(file, elf)
      return file
    }
    const platform = `${process.platform}-${process.arch}`
    const opencode = writeProgram('lib/node_modules/opencode-ai/bin', '#!/usr/bin/env node\n', 'opencode')
    expect(agentProgram(OPENCODE, opencode)).toMatch('is a script that starts OpenCode from an unknown path. Set OPENCODE_BIN')
    const started = native('lib/node_modules/opencode-ai/node_modules', `opencode-${platform}`, 'bin', 'opencode')
    expect(agentProgram(OPENCODE, opencode)).toEqual({ argv: [started], folders: [path.dirname(started)] })

    const codex = writeProgram('lib/node_modules/@openai/codex/bin', '', 'codex.js')
    const own = native(
      'lib/node_modules/@openai',
      `codex-${platform}`,
      `vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin`,
      'codex',
    )
    expect(agentProgram(CODEX, codex)).toEqual({ argv: [own], folders: [path.dirname(own)] })
  })
})
