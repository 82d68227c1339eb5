import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { HooksPreview, HooksReport } from '#contracts/entities/capture.ts'
import { newFolder } from '#server/testing/folders.ts'
import { eventsFor } from './client-events.ts'
import { createHookInstaller, type HookInstallerOptions } from './service.ts'

/** A full disk needs a separate mount namespace, which not every machine allows. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
const product = path.resolve(import.meta.dirname, '../../../../..')
const hookSource = path.join(product, 'hooks', 'bashgym-hook.sh')
let root: string
let settingsFile: string

beforeEach(() => {
  root = newFolder("bashgym hooks o'ü-")
  settingsFile = path.join(root, '.claude', 'settings.json')
})

const installer = (options: Partial<HookInstallerOptions> = {}) =>
  createHookInstaller({
    dataDir: path.join(root, '.bashgym'),
    hookSource,
    settingsFile,
    clientVersion: () => Promise.resolve('2.1.329'),
    now: Date.now,
    managedFolders: [],
    platform: 'linux',
    ...options,
  })
function write(text: string | Uint8Array, mode = 0o644) {
  fs.mkdirSync(path.dirname(settingsFile), { recursive: true })
  fs.writeFileSync(settingsFile, text)
  fs.chmodSync(settingsFile, mode)
}
const read = () => fs.readFileSync(settingsFile, 'utf8')
const modeOf = (file: string) => fs.statSync(file).mode & 0o777
const backups = () => fs.readdirSync(path.join(root, '.bashgym', 'backups')).filter((name) => name.startsWith('claude-settings'))

const USER_SETTINGS = `{\r
\t"10": 12345678901234567890, "__proto__" : {"a":1.50},\r
\t"hooks": {\r
\t\t"Stop": [ {"hooks":[{"type":"command","command":"notify-send done"}]} ],\r
\t\t"PreCompact": []\r
\t},\r
\t"model": "opus"}`

describe('installing and removing hooks', () => {
  it('refuses a pipe instead of a settings file without blocking', async () => {
    fs.mkdirSync(path.dirname(settingsFile), { recursive: true })
    execFileSync('mkfifo', [settingsFile])
    await expect(installer().install()).rejects.toThrow('is not a regular file. It was left unchanged.')
  })

  it('keeps every byte of the user through install, reinstall and removal', async () => {
    write(USER_SETTINGS, 0o640)
    const first = await installer().install()
    expect(HooksReport.parse(first)).toMatchObject({ installed: true, changed: true, problems: [], clientVersion: '2.1.329', settingsFile })
    expect(first.events.filter(({ state }) => state === 'installed').map(({ event }) => event)).toEqual(eventsFor('2.1.329'))
    expect(fs.readFileSync(first.backupFile!, 'utf8')).toBe(USER_SETTINGS)
    expect(path.isAbsolute(first.backupFile!)).toBe(true)
    expect(modeOf(settingsFile)).toBe(0o640)

    const installed = read()
    const second = await installer().install()
    expect(second).toMatchObject({ changed: false, backupFile: null })
    expect(read()).toBe(installed)
    expect(backups()).toHaveLength(1)

    const removed = await installer().uninstall()
    expect(removed).toMatchObject({ installed: false, changed: true })
    expect(read()).toBe(USER_SETTINGS)
    expect(fs.readFileSync(removed.backupFile!, 'utf8')).toBe(installed)
    expect(await installer().uninstall()).toMatchObject({ changed: false, backupFile: null })
  })

  it('keeps changes that other programs made between install and removal', async () => {
    write('{"model": "opus"}')
    await installer().install()
    // The client rewrites the file in its own layout; a tool appends an event and a handler next to ours.
    const settings = JSON.parse(read()) as { hooks: Record<string, { hooks: unknown[] }[]>; [key: string]: unknown }
    settings.hooks.Stop!.unshift({ hooks: [{ type: 'command', command: 'a' }] })
    settings.hooks.SessionEnd![0]!.hooks.push({ type: 'command', command: 'b' })
    settings.hooks.Setup = [{ hooks: [{ type: 'command', command: 'c' }] }]
    settings.theme = 'dark'
    write(JSON.stringify(settings, null, 2))
    await installer().uninstall()
    const command = (name: string) => ({ hooks: [{ type: 'command', command: name }] })
    expect(read()).toBe(
      JSON.stringify(
        { model: 'opus', hooks: { Stop: [command('a')], SessionEnd: [command('b')], Setup: [command('c')] }, theme: 'dark' },
        null,
        2,
      ),
    )
  })

  it('creates a missing file with mode 0600, and removes it again unless another program added to it', async () => {
    const report = await installer().install()
    expect(report).toMatchObject({ installed: true, backupFile: null })
    expect(modeOf(settingsFile)).toBe(0o600)
    await installer().uninstall()
    expect(fs.existsSync(settingsFile)).toBe(false)

    await installer().install()
    write(read().replace('{', '{"theme": "dark",'))
    await installer().uninstall()
    expect(JSON.parse(read())).toEqual({ theme: 'dark' })
  })

  it('changes the target of a symlink and keeps the link, even if the target does not exist yet', async () => {
    const target = path.join(root, 'dotfiles', 'claude.json')
    fs.mkdirSync(path.dirname(target))
    fs.mkdirSync(path.dirname(settingsFile))
    fs.symlinkSync('../dotfiles/claude.json', settingsFile)
    await installer().install()
    expect(fs.lstatSync(settingsFile).isSymbolicLink()).toBe(true)
    expect(JSON.parse(fs.readFileSync(target, 'utf8'))).toHaveProperty('hooks.Stop')
    expect(fs.readdirSync(path.dirname(target))).toEqual(['claude.json'])
    await installer().uninstall()
    expect(fs.lstatSync(settingsFile).isSymbolicLink()).toBe(true)
    expect(fs.existsSync(target)).toBe(false)
  })

  it('keeps a byte order mark', async () => {
    write('\uFEFF{}')
    await installer().install()
    expect(read().startsWith('\uFEFF{\n  "hooks"')).toBe(true)
    await installer().uninstall()
    expect(read()).toBe('\uFEFF{}')
  })

  it.each([
    ['a comment', '{\n  "a": 1 // why\n}', 2],
    ['a trailing comma', '{\n  "a": 1,\n}', 3],
    ['a duplicate key', '{"a": {"b": 1,\n"b": 2}}', 2],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x0a, 0xff, 0x7d]), 2],
    ['an incomplete file', '{\n"a": ', 2],
    ['an empty file', '', 1],
    ['a list at the root', '\n[]', 2],
    ['hooks of the wrong kind', '{\n"hooks": []}', 2],
    ['an event of the wrong kind', '{"hooks": {\n"Stop": {}}}', 2],
    ['a group of the wrong kind', '{"hooks": {"Stop": [\n"x"]}}', 2],
    ['hooks of a group of the wrong kind', '{"hooks": {"Stop": [{"matcher": "",\n"hooks": {}}]}}', 2],
    ['a group without hooks', '{"hooks": {"Other": [\n{"matcher": ""}]}}', 2],
  ])('refuses %s, does not change the file and reports the line', async (_name, text, line) => {
    write(text)
    const before = fs.readFileSync(settingsFile)
    for (const action of [() => installer().install(), () => installer().uninstall(), () => installer().preview('install')]) {
      await expect(action()).rejects.toMatchObject({ code: 'client_settings_invalid', message: expect.stringContaining(`line ${line}: `) })
    }
    expect(fs.readFileSync(settingsFile).equals(before)).toBe(true)
    const report = await installer().report()
    expect(report.problems).toContainEqual({ kind: 'client_settings_invalid', message: expect.stringContaining(`line ${line}: `) })
    expect(fs.readdirSync(path.dirname(settingsFile))).toEqual(['settings.json'])
  })

  it('refuses a read-only file with an explanation', async () => {
    write('{}', 0o444)
    await expect(installer().install()).rejects.toMatchObject({
      code: 'client_settings_invalid',
      message: expect.stringMatching(/is read-only/),
    })
    expect(read()).toBe('{}')
    expect(backups()).toEqual([])
  })

  it('tries again if the file changes in the meantime, and gives up if it keeps changing', async () => {
    write('{"a": 1}')
    let writes = 0
    // The clock is read between planning and writing, so the file changes at the worst moment.
    const changingClock = (times: number) => () => {
      if (writes < times) write(`{"a": ${(writes += 1) + 1}}`)
      return Date.now()
    }
    const report = await installer({ now: changingClock(2) }).install()
    expect(JSON.parse(read())).toMatchObject({ a: 3, hooks: {} })
    expect(fs.readFileSync(report.backupFile!, 'utf8')).toBe('{"a": 3}')
    expect(backups()).toHaveLength(1)
    write('{"a": 1}')
    writes = 0
    await expect(installer({ now: changingClock(100) }).install()).rejects.toMatchObject({
      message: expect.stringMatching(/kept changing \(5 attempts\)/),
    })
  })

  it('adds events of a newer client and removes events that an older client does not know', async () => {
    write('{"hooks": {"PostToolBatch": []}}')
    const at = (version: string | null) => installer({ clientVersion: () => Promise.resolve(version) })
    await at(null).install()
    expect(Object.keys((JSON.parse(read()) as { hooks: object }).hooks)).toEqual(['PostToolBatch', ...eventsFor('1.0.128')])
    expect((await at('2.1.329').report()).problems).toEqual([{ kind: 'events_missing', message: expect.stringContaining('PostToolBatch') }])
    await at('2.1.329').install()
    expect((await at('2.1.329').report()).problems).toEqual([])
    const older = await at('2.1.50').report()
    expect(older.problems.map(({ kind }) => kind)).toContain('events_unknown')
    expect(older.events).toContainEqual({ event: 'StopFailure', state: 'installed', why: null })
    await at('2.0.76').install()
    expect(Object.keys((JSON.parse(read()) as { hooks: object }).hooks)).toEqual(['PostToolBatch', ...eventsFor('2.0.76')])
    await at('2.0.76').uninstall()
    expect(read()).toBe('{"hooks": {"PostToolBatch": []}}')
  })

  it('never registers events that would delay the user or replace a command of the client', () => {
    for (const version of [null, '1.0.128', '2.1.329', '3.0.0']) {
      expect(eventsFor(version)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(WorktreeCreate|MessageDisplay|PreToolUse)$/)]),
      )
    }
  })

  it('handles two data directories and two config folders separately', async () => {
    write('{}')
    const other = installer({ dataDir: path.join(root, 'other') })
    await other.install()
    await installer().install()
    expect((await installer().report()).problems).toEqual([
      { kind: 'other_home', message: expect.stringContaining(path.join(root, 'other', 'hook')) },
    ])
    await installer().uninstall()
    expect(await other.report()).toMatchObject({ installed: true, problems: [] })
    await other.uninstall()
    expect(read()).toBe('{}')
    const second = installer({ settingsFile: path.join(root, 'work', 'settings.json') })
    await second.install()
    expect(read()).toBe('{}')
    expect(await second.report()).toMatchObject({ installed: true })
  })

  it('reports settings that disable hooks, and a missing or different script', async () => {
    const managed = path.join(root, 'managed')
    fs.mkdirSync(path.join(managed, 'managed-settings.d'), { recursive: true })
    fs.writeFileSync(path.join(managed, 'managed-settings.json'), '{"allowManagedHooksOnly": true}')
    fs.writeFileSync(path.join(managed, 'managed-settings.d', '10.json'), '{"disableAllHooks": true}')
    write(
      '{"disableAllHooks": true, "env": {"CLAUDE_CODE_SIMPLE": "1"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": -1}]}]}}',
    )
    const subject = installer({ managedFolders: [managed] })
    expect((await subject.install()).problems.map(({ kind }) => kind).toSorted()).toEqual([
      'handler_malformed',
      ...Array<string>(4).fill('hooks_disabled'),
    ])
    fs.rmSync(path.join(root, '.bashgym', 'hook'))
    expect((await subject.report()).problems.map(({ kind }) => kind)).toContain('script_missing')
    fs.writeFileSync(path.join(root, '.bashgym', 'hook'), '#!/bin/sh\n', { mode: 0o700 })
    expect((await subject.report()).problems.map(({ kind }) => kind)).toContain('script_differs')
    await subject.install()
    expect((await subject.report()).problems.map(({ kind }) => kind)).not.toContain('script_differs')
  })

  it('previews the exact bytes, and writes nothing', async () => {
    write(USER_SETTINGS)
    const preview = HooksPreview.parse(await installer().preview('install'))
    expect(preview.before).toBe(USER_SETTINGS)
    expect(preview.diff).toContain('+\t\t"SessionStart": [')
    expect(read()).toBe(USER_SETTINGS)
    expect(fs.existsSync(path.join(root, '.bashgym'))).toBe(false)
    await installer().install()
    expect(read()).toBe(preview.after)
    expect(await installer().preview('uninstall')).toMatchObject({ before: preview.after, after: USER_SETTINGS, changed: true })
  })

  it.skipIf(!canMount).each(['.claude', '.bashgym'])('does not change the settings if the disk with %s is full (needs unshare)', (full) => {
    write('{"a": 1}')
    fs.mkdirSync(path.join(root, '.bashgym'))
    const shell = `mount -t tmpfs -o size=64k tmpfs "$1/${full}" && mkdir -p "$1/.claude" && printf '{"a": 1}' >"$1/.claude/settings.json" || exit 90
      cat /dev/zero >"$1/${full}/filler" 2>/dev/null
      cd "$2" && exec "$3" --input-type=module-typescript -e "$4" "$1"`
    const script = `
      import fs from 'node:fs'
      import { createHookInstaller } from '#server/stages/capture/hooks/service.ts'
      const root = process.argv[1]
      const installer = createHookInstaller({ dataDir: root + '/.bashgym', hookSource: 'hooks/bashgym-hook.sh', settingsFile: root + '/.claude/settings.json',
        clientVersion: () => Promise.resolve(null), now: Date.now, managedFolders: [] })
      const outcome = await installer.install().then(() => 'installed', ({ code, message }) => [code, message])
      console.log(JSON.stringify({ outcome, text: fs.readFileSync(root + '/.claude/settings.json', 'utf8'), files: fs.readdirSync(root + '/.claude') }))`
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', shell, 'sh', root, product, process.execPath, script], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      outcome: ['disk_full', expect.stringMatching(/^The disk is full: /)],
      text: '{"a": 1}',
      files: full === '.claude' ? ['filler', 'settings.json'] : ['settings.json'],
    })
  })

  it('refuses Windows with an explanation', async () => {
    await expect(installer({ platform: 'win32' }).install()).rejects.toMatchObject({ code: 'hooks_unsupported' })
    expect(fs.existsSync(settingsFile)).toBe(false)
  })

  it('writes a command that a shell can run, for a data directory with space, quote and umlaut', async () => {
    await installer().install()
    const hooks = (JSON.parse(read()) as { hooks: { Stop: { hooks: { command: string; timeout: number }[] }[] } }).hooks
    const [handler] = hooks.Stop[0]!.hooks
    expect(Object.keys(handler!).toSorted()).toEqual(['command', 'timeout', 'type'])
    expect(Number.isInteger(handler!.timeout)).toBe(true)
    expect(execFileSync('sh', ['-c', handler!.command], { input: '{"a":1}\n', env: {} }).length).toBe(0)
    const spool = path.join(root, '.bashgym', 'spool')
    expect(fs.readdirSync(spool).map((name) => fs.readFileSync(path.join(spool, name), 'utf8').trim())).toEqual(['{"a":1}'])
    for (const [name, mode] of [
      ['', 0o700],
      ['spool', 0o700],
      ['hook', 0o700],
      ['backups', 0o700],
    ] as const) {
      expect(modeOf(path.join(root, '.bashgym', name))).toBe(mode)
    }
    fs.rmSync(path.join(root, '.bashgym'), { recursive: true })
    expect(execFileSync('sh', ['-c', handler!.command], { input: '', env: {} }).length).toBe(0)
  })
})
