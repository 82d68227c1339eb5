import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { Config } from '#server/config.ts'
import { databasesIn } from './opencode.ts'

/**
 * Folders where Claude Code keeps transcripts. If CLAUDE_CONFIG_DIR is set, the client uses only that folder, and so
 * do we; otherwise some set-ups use ~/.config/claude.
 */
export function knownPlaces(config: Config): string[] {
  const configured = path.join(config.claudeDir, 'projects')
  const isConfigured = config.origins.some(({ name, origin }) => name === 'CLAUDE_CONFIG_DIR' && origin !== 'default')
  const xdgPlace = path.join(config.userHome, '.config', 'claude', 'projects')
  return !isConfigured && xdgPlace !== configured && fs.existsSync(xdgPlace) ? [configured, xdgPlace] : [configured]
}

export interface Place {
  agent: Agent
  path: string
}

/** Existing session folders of the other agents. */
export function otherPlaces(config: Config): Place[] {
  const places: Place[] = [
    { agent: 'codex', path: path.join(config.codexDir, 'sessions') },
    { agent: 'codex', path: path.join(config.codexDir, 'archived_sessions') },
    { agent: 'gemini', path: path.join(config.geminiDir, 'tmp') },
    ...databasesIn(config.opencodeDir).map((database): Place => ({ agent: 'opencode', path: database })),
  ]
  return places.filter((place) => fs.existsSync(place.path))
}

/** Sample sessions: each `projects` folder under `samples/claude-code`. */
export function samplePlaces(samplesDir: string): string[] {
  const root = path.join(samplesDir, 'claude-code')
  if (!fs.existsSync(root)) return []
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === 'projects')
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Days that the client keeps transcripts: `cleanupPeriodDays` of its settings, or 30 if it has no valid value. */
export function cleanupPeriodDays(claudeDir: string): number {
  try {
    const settings: unknown = JSON.parse(fs.readFileSync(path.join(claudeDir, 'settings.json'), 'utf8').replace(/^\uFEFF/, ''))
    if (typeof settings === 'object' && settings !== null && 'cleanupPeriodDays' in settings) {
      const days = settings.cleanupPeriodDays
      if (typeof days === 'number' && Number.isFinite(days) && days >= 1) return days
    }
  } catch {
    // Missing or invalid: the client uses its default, and so do we.
  }
  return DEFAULT_CLEANUP_DAYS
}

const DEFAULT_CLEANUP_DAYS = 30

/** The absolute path of a readable file or folder. Refuses devices, pipes and sockets without opening them. */
export function requireReadable(requested: string): string {
  const file = path.resolve(requested)
  const refuse = (why: string, hint?: string): never => {
    throw new AppError('path_refused', { message: `Can't import ${file}: ${why}.`, ...(hint && { hint }) })
  }
  let stats: fs.Stats
  try {
    stats = fs.statSync(file)
    fs.accessSync(file, fs.constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('no such file or folder', 'Check the path.')
    if (code === 'EACCES' || code === 'EPERM') return refuse('permission denied', 'Give your user read access, then import again.')
    return refuse(`system error ${code}`)
  }
  if (!stats.isFile() && !stats.isDirectory())
    return refuse('not a file or folder', 'Choose a transcript (a .jsonl file) or a folder with transcripts.')
  return file
}
