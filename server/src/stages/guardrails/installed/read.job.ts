import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { InstalledPart } from '#contracts/entities/installed.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type ForeignFolder, ForeignFileError, inForeign } from '#server/foreign/index.ts'
import { describeMarkdown, describeServer, type Described, fieldsOf, hooksIn, shortOf, textOf } from './describe.ts'
import type { FoundPart, FoundParts, InstalledInput } from './found.ts'

const MAX_JSON = 4_000_000
const MAX_TEXT = 1_000_000
const MAX_PARTS = 5000
const MAX_PROJECTS = 100
/** Files of a skill or plugin that its hash reads; of more, and of larger ones, only name and size count. */
const MAX_HASHED = 500
const MAX_HASHED_BYTES = 8_000_000
const MAX_ENTRIES = 5000
const MAX_DEPTH = 6

type Place = Pick<FoundPart, 'scope' | 'project' | 'plugin' | 'from' | 'enabled'> & { installedAt?: string | null }

/** Finds what is installed in the user's Claude Code: in their folders, in projects and in plugins. Reads only, and runs nothing. */
export default async function readInstalled({ profiles, managed, projects }: InstalledInput): Promise<FoundParts> {
  const reading = new Reading()
  const seen = new Set<string>()
  const known: string[] = []
  for (const { folder, states } of profiles) {
    const root = await realPath(folder)
    if (root === null || seen.has(root)) continue
    seen.add(root)
    const user: Place = { scope: 'user', project: null, plugin: null, from: null, enabled: null }
    for (const file of states) {
      const state = await reading.jsonAt(file)
      await reading.servers(file, state?.['mcpServers'], user)
      for (const [project, own] of Object.entries(fieldsOf(state?.['projects'])).slice(0, MAX_PROJECTS)) {
        known.push(project)
        await reading.servers(file, fieldsOf(own)['mcpServers'], { ...user, scope: 'local', project })
      }
    }
    await reading.folder(root, user)
    await reading.plugins(root, await reading.jsonAt(path.join(root, 'settings.json')))
  }
  for (const folder of managed) {
    const root = await realPath(folder)
    if (root === null) continue
    const place: Place = { scope: 'managed', project: null, plugin: null, from: 'your administrator', enabled: true }
    await reading.settings(path.join(root, 'managed-settings.json'), place)
    await reading.servers(
      path.join(root, 'managed-mcp.json'),
      (await reading.jsonAt(path.join(root, 'managed-mcp.json')))?.['mcpServers'],
      place,
    )
  }
  const folders = [...new Set([...known, ...projects])].filter((project) => path.isAbsolute(project)).slice(0, MAX_PROJECTS)
  let read = 0
  for (const project of folders) {
    const root = await realPath(project)
    if (root === null || seen.has(root) || seen.has(path.join(root, '.claude'))) continue
    seen.add(root)
    read += 1
    const place: Place = { scope: 'project', project: root, plugin: null, from: null, enabled: null }
    const file = path.join(root, '.mcp.json')
    await reading.servers(file, (await reading.jsonAt(file))?.['mcpServers'], place)
    const own = await realPath(path.join(root, '.claude'))
    if (own !== null) await reading.folder(own, place)
  }
  return { parts: reading.parts, problems: reading.problems, projects: read }
}

class Reading {
  readonly parts: FoundPart[] = []
  readonly problems: FoundParts['problems'] = []
  private readonly read = new Map<string, Promise<Record<string, unknown> | null>>()

  /** A JSON file with an object; null if there is none. A damaged one is a problem. */
  jsonAt(file: string): Promise<Record<string, unknown> | null> {
    const known = this.read.get(file) ?? this.readJson(file)
    this.read.set(file, known)
    return known
  }

  /** Settings, skills, sub-agents and commands of the user or a project. */
  async folder(root: string, place: Place): Promise<void> {
    for (const name of ['settings.json', 'settings.local.json'])
      await this.settings(path.join(root, name), name === 'settings.json' ? place : { ...place, scope: 'local' })
    await this.contents(root, place)
  }

  async settings(file: string, place: Place): Promise<void> {
    const settings = await this.jsonAt(file)
    const isOff = settings?.['disableAllHooks'] === true
    await this.hooks(file, settings?.['hooks'], isOff ? { ...place, enabled: false } : place)
  }

  async hooks(file: string, hooks: unknown, place: Place): Promise<void> {
    const modifiedAt = await modifiedOf(file)
    for (const { content, ...hook } of hooksIn(hooks))
      this.add('hook', file, hook, { ...place, hash: hashOf(content), modifiedAt, key: content })
  }

  async servers(file: string, servers: unknown, place: Place): Promise<void> {
    const modifiedAt = servers === undefined ? null : await modifiedOf(file)
    for (const [name, server] of Object.entries(fieldsOf(servers))) {
      const { content, ...described } = describeServer(name, server)
      this.add('mcp_server', file, described, { ...place, hash: hashOf(content), modifiedAt })
    }
  }

  async contents(root: string, place: Place): Promise<void> {
    await this.inside(root, 'skills', async (folder) => {
      for (const { name, kind } of await folder.list('', MAX_ENTRIES)) {
        // the user may have linked a skill; other links are not followed
        if (kind === 'folder') await this.skill(path.join(folder.root, name), name, place)
        else if (kind === 'link') await this.linkedSkill(path.join(folder.root, name), name, place)
      }
    })
    for (const [under, kind] of [
      ['agents', 'agent'],
      ['commands', 'command'],
    ] as const)
      await this.inside(root, under, async (folder) => {
        let left = MAX_ENTRIES
        for await (const entry of folder.walk('', (name) => name.split('/').length < MAX_DEPTH)) {
          if ((left -= 1) < 0) break
          if (entry.kind !== 'file' || !entry.name.endsWith('.md')) continue
          const text = await this.textIn(folder, entry.name)
          if (text === null) continue
          const described = describeMarkdown(text, entry.name.slice(0, -3).replaceAll('/', ':'))
          const modifiedAt = isoOf((await folder.find(entry.name))?.mtimeMs)
          this.add(kind, path.join(folder.root, entry.name), described, { ...place, hash: hashOf(text), modifiedAt })
        }
      })
  }

  private async linkedSkill(place: string, name: string, where: Place): Promise<void> {
    try {
      await this.skill(await fs.promises.realpath(place), name, where)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      this.problems.push({ file: place, message: code === 'ELOOP' ? 'Its links lead in a circle.' : 'It is a link that leads nowhere.' })
    }
  }

  private async skill(root: string, name: string, place: Place): Promise<void> {
    await this.readable(root, async (folder) => {
      const manifest = await this.jsonIn(folder, '.claude-plugin/plugin.json')
      const hooks = await this.jsonIn(folder, 'hooks/hooks.json')
      const text = await folder.textOrNull('SKILL.md', MAX_TEXT)
      if (text === null && manifest === null && (await folder.find('SKILL.md')) === null) return
      const { hash: content, modifiedAt } = await contentOf(folder)
      const described = text === null ? unread(name) : describeMarkdown(text, name)
      const modules = modulesIn(hooks)
      if (manifest === null) return this.add('skill', path.join(root, 'SKILL.md'), described, { ...place, hash: content, modifiedAt })
      this.plugin(modules === null ? 'plugin' : 'mod', root, manifest, modules, {
        ...place,
        id: `${name}@skills-dir`,
        hash: content,
        modifiedAt,
      })
      await this.ofPlugin(root, folder, manifest, hooks, { ...place, plugin: `${name}@skills-dir` })
    })
  }

  /** Plugins from marketplaces. */
  async plugins(root: string, settings: Record<string, unknown> | null): Promise<void> {
    const enabled = fieldsOf(settings?.['enabledPlugins'])
    const [installed, markets] = await Promise.all(
      ['installed_plugins.json', 'known_marketplaces.json'].map((name) => this.jsonAt(path.join(root, 'plugins', name))),
    )
    for (const [id, copies] of Object.entries(fieldsOf(installed?.['plugins'])).slice(0, MAX_ENTRIES))
      for (const copy of Array.isArray(copies) ? copies.slice(0, 20) : []) {
        const { installPath, scope, projectPath, installedAt } = fieldsOf(copy)
        if (typeof installPath !== 'string' || !path.isAbsolute(installPath)) continue
        const place: Place = {
          scope: scope === 'project' || scope === 'local' || scope === 'managed' ? scope : 'user',
          project: textOf(projectPath),
          plugin: null,
          from: sourceOf(fieldsOf(markets?.[id.split('@').at(-1)!])['source']) ?? shortOf(id.split('@').at(-1)!),
          enabled: enabled[id] === true,
          installedAt: instantOf(installedAt),
        }
        const target = await realPath(installPath)
        if (target === null) {
          const gone = { ...unread(id), problem: 'Its folder is missing.' }
          this.add('plugin', installPath, gone, { ...place, hash: hashOf('missing'), modifiedAt: null })
          continue
        }
        await this.readable(target, async (folder) => {
          const manifest = (await this.jsonIn(folder, '.claude-plugin/plugin.json')) ?? {}
          const hooks = await this.jsonIn(folder, 'hooks/hooks.json')
          const modules = modulesIn(hooks)
          const { hash: content, modifiedAt } = await contentOf(folder)
          this.plugin(modules === null ? 'plugin' : 'mod', target, manifest, modules, { ...place, id, hash: content, modifiedAt })
          await this.ofPlugin(target, folder, manifest, hooks, { ...place, plugin: id })
        })
      }
  }

  private plugin(
    kind: 'plugin' | 'mod',
    root: string,
    manifest: Record<string, unknown>,
    modules: readonly string[] | null,
    { id, ...rest }: Place & { id: string; hash: string; modifiedAt: string | null },
  ): void {
    const may = modules === null ? [] : [`code that runs in the client: ${modules.join(', ')}`]
    const version = textOf(manifest['version'])
    const described = {
      name: id,
      description: textOf(manifest['description']),
      may: [...(version === null ? [] : [`version ${version}`]), ...may],
      problem: null,
    }
    this.add(kind, root, described, rest)
  }

  /** What a plugin brings along. */
  private async ofPlugin(
    root: string,
    folder: ForeignFolder,
    manifest: Record<string, unknown>,
    hooks: Record<string, unknown> | null,
    place: Place,
  ) {
    const file = path.join(root, '.claude-plugin', 'plugin.json')
    await this.hooks(path.join(root, 'hooks', 'hooks.json'), hooks?.['hooks'], place)
    if (typeof manifest['hooks'] === 'object') await this.hooks(file, fieldsOf(manifest['hooks'])['hooks'] ?? manifest['hooks'], place)
    const servers = await this.jsonIn(folder, '.mcp.json')
    await this.servers(path.join(root, '.mcp.json'), servers?.['mcpServers'] ?? servers ?? undefined, place)
    if (typeof manifest['mcpServers'] === 'object') await this.servers(file, manifest['mcpServers'], place)
    await this.contents(root, place)
  }

  private add(
    kind: InstalledPart['kind'],
    file: string,
    { name, description, may, problem }: Described,
    { key = '', installedAt = null, ...rest }: Place & { hash: string; modifiedAt: string | null; key?: string },
  ): void {
    if (this.parts.length >= MAX_PARTS) return
    const id = hashOf([kind, rest.scope, rest.project, rest.plugin, file, name, key].join('\0'))
    if (this.parts.some((part) => part.id === id)) return
    this.parts.push({ id, kind, name: shortOf(name), description, file, may, problem, installedAt, ...rest })
  }

  private async inside(root: string, name: string, use: (folder: ForeignFolder) => Promise<void>): Promise<void> {
    const place = await realPath(path.join(root, name))
    if (place !== null) await this.readable(place, use)
  }

  /** What cannot be read is a problem, and the rest goes on. */
  private async readable(root: string, use: (folder: ForeignFolder) => Promise<void>): Promise<void> {
    try {
      await inForeign(root, use)
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      if (error.code !== 'missing' && error.code !== 'not_a_folder')
        this.problems.push({ file: path.join(root, error.file), message: `It ${error.reason}.` })
    }
  }

  private async readJson(file: string): Promise<Record<string, unknown> | null> {
    const real = await realPath(file)
    if (real === null) return null
    let found: Record<string, unknown> | null = null
    await this.readable(path.dirname(real), async (folder) => {
      found = this.objectOf(await folder.text(path.basename(real), MAX_JSON), file)
    })
    return found
  }

  private async jsonIn(folder: ForeignFolder, name: string): Promise<Record<string, unknown> | null> {
    const text = await this.textIn(folder, name, MAX_JSON)
    return text === null ? null : this.objectOf(text, path.join(folder.root, name))
  }

  private async textIn(folder: ForeignFolder, name: string, limit = MAX_TEXT): Promise<string | null> {
    try {
      return await folder.text(name, limit)
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      if (error.code === 'missing' || error.code === 'not_a_folder') return null
      this.problems.push({ file: path.join(folder.root, name), message: `It ${error.reason}.` })
      return null
    }
  }

  private objectOf(text: string, file: string): Record<string, unknown> | null {
    const value = jsonOf(text.replace(/^\uFEFF/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
    this.problems.push({ file, message: 'It is not a JSON object, so nothing in it was read.' })
    return null
  }
}

const unread = (name: string): Described => ({ name, description: null, may: [], problem: 'Its SKILL.md could not be read.' })
const hashOf = (text: string): string => hash('sha256', text).slice(0, 24)
const isoOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
const instantOf = (value: unknown): string | null =>
  typeof value === 'string' && Number.isFinite(Date.parse(value)) ? new Date(value).toISOString() : null
const realPath = (place: string): Promise<string | null> => fs.promises.realpath(place).catch(() => null)
const modifiedOf = async (file: string) =>
  fs.promises.stat(file).then(
    ({ mtimeMs }) => isoOf(mtimeMs),
    () => null,
  )

/** Modules of a mod; null if it is none. */
function modulesIn(hooks: Record<string, unknown> | null): string[] | null {
  const modules = hooks?.['modules']
  return Array.isArray(modules) && modules.length > 0 ? modules.slice(0, 20).flatMap((name) => textOf(name) ?? []) : null
}

/** Where a marketplace is, in words, without a login that its address may have. */
function sourceOf(source: unknown): string | null {
  const { repo, url, path: folder } = fieldsOf(source)
  const text = textOf(repo) ?? textOf(url) ?? textOf(folder)
  return text?.replace(/\/\/[^/@]*@/, '//') ?? null
}

/** The hash of all files below a folder, and when the newest was changed. */
async function contentOf(folder: ForeignFolder): Promise<{ hash: string; modifiedAt: string | null }> {
  const sum = createHash('sha256')
  let [entries, files, bytes, newest] = [0, 0, 0, 0]
  for await (const { name, kind } of folder.walk(
    '',
    (inner) => !/(?:^|\/)(?:\.git|node_modules)$/.test(inner) && inner.split('/').length < MAX_DEPTH,
  )) {
    if ((entries += 1) > MAX_ENTRIES) break
    const found = kind === 'file' ? await folder.find(name) : null
    sum.update(`${kind} ${name}\0${found?.size ?? ''}\0`)
    if (!found) continue
    newest = Math.max(newest, found.mtimeMs)
    if ((files += 1) > MAX_HASHED || (bytes += found.size) > MAX_HASHED_BYTES) continue
    sum.update(
      await folder
        .read(name, found.size)
        .catch((error: unknown) => (error instanceof ForeignFileError ? error.code : Promise.reject(error as Error))),
    )
  }
  return { hash: sum.digest('hex').slice(0, 24), modifiedAt: newest === 0 ? null : isoOf(newest) }
}
