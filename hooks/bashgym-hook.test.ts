import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandFor, scriptFor } from '#server/stages/capture/hooks/hook-command.ts'

const source = path.join(import.meta.dirname, 'bashgym-hook.sh')
let root: string
let dataDir: string
let spool: string
let command: string

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-hook-'))
  dataDir = path.join(root, `Jörg's $(touch x) "home"*`)
  spool = path.join(dataDir, 'spool')
  fs.mkdirSync(spool, { recursive: true })
  fs.writeFileSync(path.join(dataDir, 'hook'), scriptFor(fs.readFileSync(source, 'utf8'), dataDir), { mode: 0o700 })
  command = commandFor(path.join(dataDir, 'hook'))
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

const env = { PATH: process.env['PATH'] ?? '', CLAUDE_PID: '4711' }
const SILENT = { status: 0, stdout: '', stderr: '' }
const files = () => fs.readdirSync(spool)
const contents = () => files().map((name) => fs.readFileSync(path.join(spool, name), 'utf8'))
/** The payloads, one per line, without blank lines. */
const lines = () =>
  contents().flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => `${line}\n`),
  )

/** Runs a command line the way Claude Code does. */
function call(input: string, options: { line?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', options.line ?? command], {
    input,
    env: { ...env, ...options.env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
function callInParallel(input: string): Promise<{ code: number | null; printed: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { env })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += String(bytes)))
    child.once('error', reject).once('close', (code) => resolve({ code, printed }))
    child.stdin.end(input)
  })
}

/** Full and read-only file systems need a separate mount namespace, which not every machine allows. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0
const shells = ['dash', 'bash', 'busybox'].filter((shell) => spawnSync(shell, ['--help']).error === undefined)

describe('the hook', () => {
  it.skipIf(!hasShellcheck)('passes shellcheck (needs shellcheck)', () => {
    expect(execFileSync('shellcheck', [source], { encoding: 'utf8' })).toBe('')
  })

  it('appends exactly the bytes of stdin to a private file named by its process and the client', () => {
    expect(call('{"a":"ü\\u0000"}\n', { line: `umask 0; ${command}` })).toEqual(SILENT)
    expect(files()).toEqual([expect.stringMatching(/^\d+\.4711$/)])
    expect(lines()).toEqual(['{"a":"ü\\u0000"}\n'])
    expect(fs.statSync(path.join(spool, files()[0]!)).mode & 0o777).toBe(0o600)
  })

  it.each(shells)('runs in %s', (shell) => {
    const argv = shell === 'busybox' ? ['sh', path.join(dataDir, 'hook')] : [path.join(dataDir, 'hook')]
    const { status, stdout, stderr } = spawnSync(shell, argv, { input: '{"a":1}\n', env, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual(SILENT)
    expect(lines()).toEqual(['{"a":1}\n'])
  })

  it('uses BASHGYM_HOME, else ~/.bashgym, if the script has no data directory', () => {
    expect(call('{"a":1}\n', { line: source, env: { BASHGYM_HOME: dataDir } })).toEqual(SILENT)
    fs.mkdirSync(path.join(root, '.bashgym', 'spool'), { recursive: true })
    expect(call('{"a":2}\n', { line: source, env: { HOME: root } })).toEqual(SILENT)
    expect(call('{"a":3}\n', { line: `unset HOME; exec ${source}` })).toEqual(SILENT)
    expect(lines()).toEqual(['{"a":1}\n'])
    expect(fs.readdirSync(path.join(root, '.bashgym', 'spool'))).toHaveLength(1)
  })

  it('adds the newline that clients up to 2.1.50 do not send', () => {
    call('{"a":1}')
    expect(contents()).toEqual(['{"a":1}\n'])
  })

  it('uses no path from CLAUDE_PID', () => {
    expect(call('{"a":1}\n', { env: { CLAUDE_PID: '../../x' } })).toEqual(SILENT)
    expect(files()).toEqual([expect.stringMatching(/^\d+\.0$/)])
  })

  it('writes nothing from the environment', () => {
    call('{"a":1}\n', { env: { ANTHROPIC_API_KEY: 'sk-secret', CLAUDE_CODE_MESSAGING_TOKEN: 'token-secret' } })
    expect(contents().join('')).not.toContain('secret')
  })

  it('keeps the lines of an earlier process with the same pid, even an incomplete one', () => {
    const before = (text: string) => `printf '${text}' >'${spool.replaceAll("'", `'\\''`)}'/$$.4711; ${command}`
    call('{"b":2}\n', { line: before('{"a":1}\\n') })
    expect(lines()).toEqual(['{"a":1}\n', '{"b":2}\n'])
    fs.rmSync(path.join(spool, files()[0]!))
    call('{"b":2}\n', { line: before('{"a":') })
    expect(lines()).toEqual(['{"a":\n', '{"b":2}\n'])
  })

  it('keeps 64 parallel payloads complete and separate', async () => {
    const payloads = Array.from({ length: 64 }, (_, index) => `${JSON.stringify({ index, text: String(index).repeat(20_000) })}\n`)
    expect(new Set((await Promise.all(payloads.map(callInParallel))).map((end) => JSON.stringify(end)))).toEqual(
      new Set(['{"code":0,"printed":""}']),
    )
    expect(lines().toSorted()).toEqual(payloads.toSorted())
  })

  it('keeps parallel payloads of 5 MB complete', async () => {
    const payloads = Array.from({ length: 4 }, (_, index) => `${JSON.stringify({ index, text: 'ü'.repeat(2_500_000) })}\n`)
    await Promise.all(payloads.map(callInParallel))
    expect(lines().toSorted()).toEqual(payloads.toSorted())
  })

  it('leaves an incomplete line if it is killed while it writes, and the next payload is complete', async () => {
    const child = spawn('sh', ['-c', command], { env, detached: true })
    child.stdin.on('error', () => undefined)
    const isWriting = new Promise<void>((resolve) => {
      const watcher = fs.watch(spool, () => {
        if (!files().some((name) => fs.statSync(path.join(spool, name)).size > 0)) return
        watcher.close()
        resolve()
      })
    })
    child.stdin.write(`{"a":"${'x'.repeat(100_000)}`)
    await isWriting
    process.kill(-child.pid!, 'SIGKILL') // the shell and its cat
    await new Promise((resolve) => child.once('close', resolve))
    expect(contents()[0]).toMatch(/^\{"a":"x+$/)
    expect(call('{"b":2}\n')).toEqual(SILENT)
    expect(contents().filter((text) => text.endsWith('\n'))).toEqual([expect.stringMatching(/^\{"b":2\}\n/)])
  })

  it('writes one empty doorbell and no payload once the spool has 2,000 files', () => {
    for (let index = 0; index < 1999; index += 1) fs.writeFileSync(path.join(spool, `${index}.1`), '{}\n')
    call('{"a":1}\n')
    expect(files()).toHaveLength(2000)
    for (const input of ['{"b":1}\n', '{"c":1}\n']) expect(call(input)).toEqual(SILENT)
    expect(files()).toHaveLength(2001)
    expect(fs.readFileSync(path.join(spool, 'doorbell'), 'utf8')).toBe('')
    fs.rmSync(spool, { recursive: true })
    fs.mkdirSync(spool)
    call('{"d":1}\n')
    expect(lines()).toEqual(['{"d":1}\n'])
  })

  it('prints nothing and succeeds without a spool, a data directory, stdin or output streams', () => {
    fs.rmSync(spool, { recursive: true })
    const large = 'x'.repeat(1_000_000)
    expect(call(large)).toEqual(SILENT)
    fs.writeFileSync(spool, '')
    expect(call(large)).toEqual(SILENT)
    for (const closed of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) expect(call('', { line: `{ ${command}; } ${closed}` })).toEqual(SILENT)
    expect(call('', { line: `cd /; ${command}` })).toEqual(SILENT)
    fs.rmSync(dataDir, { recursive: true })
    expect(call('')).toEqual(SILENT)
  })

  it.skipIf(!canMount)('prints nothing and succeeds on a full disk, and the next hook works (needs unshare)', () => {
    fs.rmSync(spool, { recursive: true })
    fs.mkdirSync(spool)
    const script = `mount -t tmpfs -o size=64k tmpfs "$1" || exit 90
      head -c 300000 /dev/zero | tr '\\0' x | sh -c "$2" || exit 91
      rm "$1"/* || exit 92
      echo '{"a":1}' | sh -c "$2" || exit 93
      cat "$1"/*`
    const { status, stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', spool, command], { env, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{"a":1}\n\n', stderr: '' })
  })

  it.skipIf(!canMount)('prints nothing and succeeds on a read-only file system (needs unshare)', () => {
    const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 90
      touch "$1/probe" 2>/dev/null && exit 94
      echo '{"a":1}' | sh -c "$2" || exit 91`
    const { status, stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', dataDir, command], { env, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual(SILENT)
    expect(files()).toEqual([])
  })
})
