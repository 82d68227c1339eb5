/** Reads what a run with context `mine` gets from the user's Claude Code: instructions, skills, agents, harmless settings; never hooks, secrets or logins. */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { redactText } from '../../privacy/index.ts'
import type { AgentFiles } from '../agent-files.ts'

export interface UserContext {
  /** With paths below `.claude/`. */
  files: AgentFiles
  /** For `--mcp-config`. */
  mcpServers: Record<string, object>
  inputs: { kind: string; path: string; sha256: string | null }[]
}

const FOLDERS = [
  { name: 'skills', kind: 'skill' },
  { name: 'agents', kind: 'agent' },
  { name: 'commands', kind: 'command' },
  { name: 'output-styles', kind: 'output style' },
]
/** Settings that neither start a program nor hold a credential. */
const SETTINGS = ['alwaysThinkingEnabled', 'attribution', 'effortLevel', 'includeCoAuthoredBy', 'language', 'outputStyle'] as const
const MAX_FILES = 2000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_DEPTH = 8

/** The user may have linked CLAUDE.md, the folders of FOLDERS and skills in them; other links may be a stranger's and are not followed. */
export async function readUserContext(claudeDir: string, claudeJson: string): Promise<UserContext> {
  const context: UserContext = { files: [], mcpServers: {}, inputs: [] }
  const add = (kind: string, name: string, content: Buffer) => {
    context.files.push({ path: name, content })
    context.inputs.push({ kind, path: path.join(claudeDir, name), sha256: hash('sha256', content) })
  }
  const leaveOut = (kind: string, name: string) =>
    void context.inputs.push({ kind: `${kind}, left out because links are not followed`, path: path.join(claudeDir, name), sha256: null })
  const instructions = await contentOf(path.join(claudeDir, 'CLAUDE.md'))
  if (instructions) add('instructions', 'CLAUDE.md', instructions)
  let bytes = 0
  const addFrom = async (kind: string, name: string, folder: ForeignFolder, inner: string) => {
    const content = await ifReadable(folder.read(inner, MAX_BYTES))
    if (content === null) return
    if ((bytes += content.length) > MAX_BYTES || context.files.length >= MAX_FILES)
      throw new Error(`${claudeDir} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 2} MB of skills and agents.`)
    add(kind, name, content)
  }
  const isEntered = (name: string) => name.split('/').length <= MAX_DEPTH && !/(?:^|\/)(?:\.git|node_modules)$/.test(name)
  const addAll = async (kind: string, under: string, folder: ForeignFolder) => {
    for await (const { name, kind: type } of folder.walk('', isEntered)) {
      const place = path.posix.join(under, name)
      if (type === 'file') await addFrom(kind, place, folder, name)
      else if (type === 'link' && !(await addLinked(kind, place, folder, name))) leaveOut(kind, place)
    }
  }
  /** Only a skill that lies directly in its folder may be a link. */
  const addLinked = async (kind: string, place: string, folder: ForeignFolder, name: string): Promise<boolean> => {
    if (kind !== 'skill' || name.includes('/')) return false
    const target = await realPath(path.join(folder.root, name))
    return target !== null && inForeign(target, async (skill) => {
      if ((await ifReadable(skill.find('SKILL.md')))?.kind !== 'file') return false
      await addAll('linked skill', place, skill)
      return true
    }) // prettier-ignore
  }
  for (const { name, kind } of FOLDERS) {
    const folder = await realPath(path.join(claudeDir, name))
    if (folder !== null) await ifReadable(inForeign(folder, (found) => addAll(kind, name, found)))
  }
  const settings = plainSettings(objectIn(await contentOf(path.join(claudeDir, 'settings.json'))))
  if (Object.keys(settings).length > 0) add('settings', 'settings.json', Buffer.from(JSON.stringify(settings, null, 2)))
  for (const [name, server] of Object.entries(objectIn(await contentOf(claudeJson))['mcpServers'] ?? {})) {
    const safeServer = plainServer(server)
    if (!safeServer) {
      context.inputs.push({ kind: 'MCP server, left out', path: name, sha256: null })
      continue
    }
    context.mcpServers[name] = safeServer
    context.inputs.push({ kind: 'MCP server', path: name, sha256: hash('sha256', JSON.stringify(safeServer)) })
  }
  return context
}

const plainSettings = (settings: Record<string, unknown>) =>
  Object.fromEntries(SETTINGS.filter((name) => settings[name] !== undefined).map((name) => [name, settings[name]]))

/** Null if it is not just a program or its arguments contain a secret. Its environment is omitted because it usually contains keys. */
function plainServer(server: unknown): { command: string; args: unknown[] } | null {
  const { command, args } = (typeof server === 'object' && server !== null ? server : {}) as Record<string, unknown>
  if (typeof command !== 'string') return null
  const safe = { command, args: Array.isArray(args) ? args : [] }
  return redactText(JSON.stringify(safe), 'mask').findings.length > 0 ? null : safe
}

/** The user's own file, which may be a link. Null if it does not exist or is not a readable file. */
async function contentOf(file: string): Promise<Buffer | null> {
  const real = await realPath(file)
  return real === null ? null : ifReadable(inForeign(path.dirname(real), (folder) => folder.read(path.basename(real), MAX_BYTES)))
}

const realPath = (place: string): Promise<string | null> => fs.promises.realpath(place).catch(() => null)

async function ifReadable<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ForeignFileError) return null
    throw error
  }
}
function objectIn(content: Buffer | null): Record<string, unknown> {
  const value = jsonOf(content?.toString('utf8') ?? '{}')
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
