import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { createModInstaller, type ModInstallerOptions } from './installer.ts'

let claudeDir: string
let options: ModInstallerOptions
beforeEach(() => {
  const base = newFolder()
  claudeDir = path.join(base, '.claude')
  const file = path.join(base, 'register.js')
  fs.writeFileSync(file, 'var config = JSON.parse("__BASHGYM_CONFIG__");\nexport function register() {}\n')
  options = {
    dataDir: path.join(base, "Jörg's data"),
    settingsFile: path.join(claudeDir, 'settings.json'),
    clientVersion: async () => '2.1.329',
    managedFolders: [],
    file,
    version: '1.2.3',
    argv: ['/node', '/bashgym.js'],
    options: ['--home', '/Jörg\'s "data"\u2028$&'],
    calls: { step: '/step', check: '/check' },
    env: {},
    studentFile: '/student.json',
    guardFile: '/guard.json',
    tell: ['/bin/sh', '/guard-hook', 'event'],
  }
})

const installer = (more: Partial<ModInstallerOptions> = {}) => createModInstaller({ ...options, ...more })
const filesBelow = (folder: string) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .toSorted()
    : []
const settings = (value: object) => {
  fs.mkdirSync(claudeDir, { recursive: true })
  fs.writeFileSync(options.settingsFile, JSON.stringify(value))
}
const OURS = ['.claude-plugin/plugin.json', 'hooks/hooks.json', 'hooks/register.js'].map((name) => `skills/bashgym/${name}`)

/** A plugin whose module takes part in decisions about tools. */
function addMod(folder: string): void {
  fs.mkdirSync(path.join(folder, 'hooks'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'hooks', 'hooks.json'), '{"modules": ["./all.js"]}')
  fs.writeFileSync(path.join(folder, 'hooks', 'all.js'), "export const register = (on) => { on('tool.check', allowAll) }")
}

describe('the mod', () => {
  it('is exactly the files that the preview shows, and a removal leaves what was there before', async () => {
    const { changed, files } = await installer().preview('install')
    expect(changed).toBe(true)
    expect(filesBelow(claudeDir)).toEqual([])
    expect(await installer().install()).toMatchObject({ installed: true, version: '1.2.3', loads: true, changed: true, problems: [] })
    expect(filesBelow(claudeDir)).toEqual(OURS)
    for (const { path: file, before, after } of files) expect([before, fs.readFileSync(file, 'utf8')]).toEqual([null, after])
    const config = /JSON\.parse\(([^]*?)\);/.exec(files.at(-1)!.after!)![1]!
    expect(JSON.parse(JSON.parse(config) as string)).toMatchObject({ options: options.options, student: '/student.json' })

    expect((await installer().install()).changed).toBe(false)
    expect(await installer().uninstall()).toMatchObject({ installed: false, loads: false, changed: true })
    expect(fs.existsSync(claudeDir)).toBe(false)
    expect(await installer().uninstall()).toMatchObject({ installed: false, changed: false })
  })

  it('leaves folders and files of the user where they were', async () => {
    fs.mkdirSync(path.join(claudeDir, 'skills'), { recursive: true })
    await installer().install()
    const own = path.join(claudeDir, 'skills', 'bashgym', 'notes.txt')
    fs.writeFileSync(own, 'mine')
    await installer().uninstall()
    expect(filesBelow(claudeDir)).toEqual(['skills/bashgym/notes.txt'])
    fs.rmSync(own)
    fs.rmdirSync(path.dirname(own))
    await installer().install()
    await installer().uninstall()
    expect(fs.readdirSync(claudeDir)).toEqual(['skills'])
  })

  it.each(['2.1.299', '1.0.128'])('is refused by Claude Code %s, with the reason', async (version) => {
    const old = installer({ clientVersion: async () => version })
    await expect(old.install()).rejects.toMatchObject({
      code: 'mod_refused',
      message: expect.stringContaining(`Claude Code ${version} does not load mods`) as string,
    })
    await expect(old.preview('install')).rejects.toMatchObject({ code: 'mod_refused' })
    expect(filesBelow(claudeDir)).toEqual([])
  })

  it("never writes over somebody else's files, nor through a link", async () => {
    const folder = path.join(claudeDir, 'skills', 'bashgym')
    addMod(folder)
    await expect(installer().install()).rejects.toMatchObject({ code: 'mod_refused' })
    await expect(installer().uninstall()).rejects.toMatchObject({ code: 'mod_refused' })
    fs.renameSync(folder, path.join(claudeDir, 'elsewhere'))
    fs.symlinkSync(path.join(claudeDir, 'elsewhere'), folder)
    await expect(installer().install()).rejects.toMatchObject({ code: 'mod_refused' })
    expect(filesBelow(path.join(claudeDir, 'elsewhere'))).toEqual(['hooks/all.js', 'hooks/hooks.json'])
    expect(await installer().report()).toMatchObject({ installed: false, problems: [{ kind: 'mod_refused' }] })
  })

  it('says why it does not load, what is not verified, and what weakens it', async () => {
    await installer().install()
    const kinds = async (more: Partial<ModInstallerOptions> = {}) => {
      const { loads, problems } = await installer(more).report()
      return [loads, ...problems.map(({ kind }) => kind)]
    }
    expect(await kinds({ clientVersion: async () => null })).toEqual([null, 'client_unknown'])
    expect(await kinds({ clientVersion: async () => '2.1.270' })).toEqual([false, 'client_too_old'])
    expect(await kinds({ version: '1.2.4' })).toEqual([true, 'mod_differs'])
    settings({ disableAllHooks: true })
    expect(await kinds()).toEqual([false, 'hooks_disabled'])
    settings({ enabledPlugins: { 'bashgym@skills-dir': false } })
    expect(await kinds()).toEqual([false, 'mod_disabled'])
    settings({ env: { ANTHROPIC_DEFAULT_SONNET_MODEL: 'gym-tiny' } })
    expect(await kinds()).toEqual([true, 'judge_moved'])
    // as the client reads them: with a byte order mark, and numbers as text
    fs.writeFileSync(options.settingsFile, '\uFEFF{"env": {"API_TIMEOUT_MS": 20000, "ANTHROPIC_DEFAULT_SONNET_MODEL": "gym-tiny"}}')
    expect(await kinds()).toEqual([true, 'judge_moved'])
    const elsewhere = installer({ folder: path.join(newFolder(), 'mod') })
    await elsewhere.install()
    expect(await elsewhere.report()).toMatchObject({
      loads: null,
      problems: [{ kind: 'judge_moved' }, { kind: 'plugin_dir' }].toReversed(),
    })
  })

  it('names the other mods that can allow what ours denies, and only those that are on', async () => {
    await installer().install()
    addMod(path.join(claudeDir, 'skills', 'allow-all'))
    fs.mkdirSync(path.join(claudeDir, 'skills', 'a-skill'))
    const cached = path.join(claudeDir, 'plugins', 'cache', 'guard')
    addMod(cached)
    fs.writeFileSync(
      path.join(claudeDir, 'plugins', 'installed_plugins.json'),
      JSON.stringify({ version: 2, plugins: { 'guard@market': [{ installPath: cached }], 'off@market': [{ installPath: cached }] } }),
    )
    settings({ enabledPlugins: { 'guard@market': true, 'off@market': false } })
    expect((await installer().report()).overridableBy).toEqual(['allow-all@skills-dir', 'guard@market'])
  })
})

describe('the place of the mod', () => {
  const put = (on: boolean) => installer().putFirst(on)
  const now = () => (fs.existsSync(options.settingsFile) ? fs.readFileSync(options.settingsFile, 'utf8') : null)

  it('is before all others by a setting that is shown, and is taken out to the same bytes, also by a removal', async () => {
    expect(() => put(true)).toThrow('Install the mod first.')
    await installer().install()
    const folder = path.join(claudeDir, 'skills', 'bashgym')
    addMod(path.join(claudeDir, 'skills', 'all'))
    expect(await installer().report()).toMatchObject({ overridableBy: ['all@skills-dir'], isFirst: false })
    for (const before of ['{"env": {"CLAUDE_CODE_PLUGIN_DIRS": "/mine"}}', '{ }\n']) {
      fs.writeFileSync(options.settingsFile, before)
      expect(installer().first()).toMatchObject({ isOn: false, obstacle: null, diff: expect.stringContaining(folder) as unknown })
      expect(put(true).isOn).toBe(true)
      expect(settingsNow().env.CLAUDE_CODE_PLUGIN_DIRS).toBe([folder, ...(before.includes('/mine') ? ['/mine'] : [])].join(':'))
      expect(await installer().report()).toMatchObject({ overridableBy: [], isFirst: true })
      expect(put(false).isOn).toBe(false)
      expect(now()).toBe(before)
    }
    put(true)
    expect((await installer().preview('uninstall')).files.at(-1)).toMatchObject({ path: options.settingsFile, after: '{ }\n' })
    await installer().uninstall()
    expect(now()).toBe('{ }\n')
  })
  it('goes back to the same bytes however the user had written it, and when its files were removed by hand', async () => {
    await installer().install()
    const folder = path.join(claudeDir, 'skills', 'bashgym')
    const before = JSON.stringify({ env: { CLAUDE_CODE_PLUGIN_DIRS: `/mine::/other:${folder}` } })
    fs.writeFileSync(options.settingsFile, before)
    put(true)
    expect(settingsNow().env.CLAUDE_CODE_PLUGIN_DIRS).toBe(`${folder}:/mine:/other`)
    put(false)
    expect(now()).toBe(before)
    put(true)
    fs.rmSync(folder, { recursive: true })
    const { files, changed } = await installer().preview('uninstall')
    expect([changed, files.at(-1)]).toMatchObject([true, { path: options.settingsFile, after: before }])
    expect(await installer().uninstall()).toMatchObject({ installed: false, changed: true, isFirst: false })
    expect(now()).toBe(before)
  })
  const settingsNow = () => JSON.parse(now() ?? '') as { env: Record<string, string> }
})
