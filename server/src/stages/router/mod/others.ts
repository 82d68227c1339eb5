import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ForeignFileError, ForeignFolder } from '#server/foreign/index.ts'

const MAX_FILE = 1024 * 1024
const MAX_PLUGINS = 200

/** The client takes numbers and truth values of `env` as text. */
const Variable = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .optional()
  .catch(undefined)
const Settings = z.object({
  enabledPlugins: z.record(z.string(), z.unknown()).catch({}),
  env: z.record(z.string(), Variable).catch({}),
})
const Hooks = z.object({ modules: z.array(z.string()).max(100) })
const Installed = z.object({ plugins: z.record(z.string(), z.array(z.object({ installPath: z.string() }))) })

/** What we read of the client's settings; nothing if they cannot be read. */
export function settingsIn(file: string): z.infer<typeof Settings> {
  return Settings.safeParse(readJson(file) ?? {}).data ?? { enabledPlugins: {}, env: {} }
}

function readJson(file: string): unknown {
  try {
    if (fs.statSync(file).size > MAX_FILE) return null
    return JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

/**
 * Mods beside ours that take part in decisions about tools: the client asks the one that was installed first, and its "allow"
 * overrides a later "deny", also of a hook. Found by their text, so one that hides it is missed.
 */
export async function othersDeciding({ settingsFile, skills, folder }: Record<'settingsFile' | 'skills' | 'folder', string>) {
  const { enabledPlugins } = settingsIn(settingsFile)
  const installed = Installed.safeParse(readJson(path.join(path.dirname(settingsFile), 'plugins', 'installed_plugins.json'))).data
  const places = [
    ...foldersIn(skills).map((name) => ({ id: `${name}@skills-dir`, place: path.join(skills, name) })),
    ...Object.entries(installed?.plugins ?? {}).flatMap(([id, copies]) => copies.map(({ installPath }) => ({ id, place: installPath }))),
  ].filter(
    ({ id, place }) => place !== folder && enabledPlugins[id] !== false && (id.endsWith('@skills-dir') || enabledPlugins[id] === true),
  )
  const found = new Set<string>()
  for (const { id, place } of places.slice(0, MAX_PLUGINS)) if (await decides(place)) found.add(id)
  return [...found].toSorted()
}

function foldersIn(skills: string): string[] {
  try {
    return fs.readdirSync(skills, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]))
  } catch {
    return []
  }
}

async function decides(place: string): Promise<boolean> {
  try {
    const plugin = new ForeignFolder(fs.realpathSync(place))
    try {
      const { modules } = Hooks.parse(JSON.parse(await plugin.text('hooks/hooks.json', MAX_FILE)))
      for (const name of modules) {
        const text = await plugin.textOrNull(path.posix.join('hooks', name), MAX_FILE)
        if (text !== null && /["'`]tool\.(check|judge)["'`]/.test(text)) return true
      }
      return false
    } finally {
      await plugin.close()
    }
  } catch (error) {
    if (
      error instanceof ForeignFileError ||
      error instanceof SyntaxError ||
      error instanceof z.ZodError ||
      (error as NodeJS.ErrnoException).code
    )
      return false // no mod
    throw error
  }
}
