/** Reads what a run with context `mine` gets from the user's Claude Code: instructions, skills, agents, harmless settings; never hooks, secrets or logins. */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { redactText } from '../../../privacy/index.ts'
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

export function readUserContext(claudeDir: string, claudeJson: string): UserContext {
  const context: UserContext = { files: [], mcpServers: {}, inputs: [] }
  const add = (kind: string, name: string, content: Buffer) => {
    context.files.push({ path: name, content })
    context.inputs.push({ kind, path: path.join(claudeDir, name), sha256: hash('sha256', content) })
  }
  const instructions = contentOf(path.join(claudeDir, 'CLAUDE.md'))
  if (instructions) add('instructions', 'CLAUDE.md', instructions)
  let bytes = 0
  const walk = (kind: string, name: string, depth: number): void => {
    for (const entry of entriesOf(path.join(claudeDir, name)).toSorted()) {
      const inner = path.posix.join(name, entry)
      const stat = fs.statSync(path.join(claudeDir, inner), { throwIfNoEntry: false }) // a skill may be a link to a folder elsewhere
      if (stat?.isDirectory() && depth < MAX_DEPTH && entry !== '.git' && entry !== 'node_modules') walk(kind, inner, depth + 1)
      if (!stat?.isFile()) continue
      if ((bytes += stat.size) > MAX_BYTES || context.files.length >= MAX_FILES)
        throw new Error(`${claudeDir} has more than ${MAX_FILES} files or ${MAX_BYTES / 1024 ** 2} MB of skills and agents.`)
      add(kind, inner, fs.readFileSync(path.join(claudeDir, inner)))
    }
  }
  for (const { name, kind } of FOLDERS) walk(kind, name, 0)
  const settings = plainSettings(objectIn(contentOf(path.join(claudeDir, 'settings.json'))))
  if (Object.keys(settings).length > 0) add('settings', 'settings.json', Buffer.from(JSON.stringify(settings, null, 2)))
  for (const [name, server] of Object.entries(objectIn(contentOf(claudeJson))['mcpServers'] ?? {})) {
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

function contentOf(file: string): Buffer | null {
  try {
    return fs.readFileSync(file)
  } catch {
    return null // it does not exist or cannot be read
  }
}
function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}
function objectIn(content: Buffer | null): Record<string, unknown> {
  const value = jsonOf(content?.toString('utf8') ?? '{}')
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
