/** The installed script in the data directory, its spool, and what an install records for its removal. */
import { hash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { scriptFor } from './hook-command.ts'
import { codeOf, syncFolder, unusable, writeWhole } from './settings-file.ts'
import type { Filled } from './settings-hooks.ts'

export interface HookPlaces {
  dataDir: string
  /** The script that ships with the product. */
  hookSource: string
}

const hookFile = (dataDir: string) => path.join(dataDir, 'hook')
const backups = (dataDir: string) => path.join(dataDir, 'backups')

/** Compares the installed script with the one that would be installed. */
export function scriptState({ dataDir, hookSource }: HookPlaces): 'installed' | 'missing' | 'not-executable' | 'differs' {
  const wanted = scriptFor(fs.readFileSync(hookSource, 'utf8'), dataDir)
  let found: string
  try {
    found = fs.readFileSync(hookFile(dataDir), 'utf8')
  } catch {
    return 'missing'
  }
  if ((fs.statSync(hookFile(dataDir)).mode & 0o100) === 0) return 'not-executable'
  return found === wanted ? 'installed' : 'differs'
}

/** Puts the script and the spool in place, 0700. A hook running at the same time sees the old or the new script. */
export function writeScript({ dataDir, hookSource }: HookPlaces): void {
  const script = scriptFor(fs.readFileSync(hookSource, 'utf8'), dataDir)
  try {
    for (const folder of [dataDir, path.join(dataDir, 'spool'), backups(dataDir)]) makePrivate(folder)
    replaceWhole(hookFile(dataDir), Buffer.from(script), 0o700)
  } catch (cause) {
    throw unusable(cause, hookFile(dataDir), 'written')
  }
}

/** Backs up the exact bytes of a settings file under a unique name; returns the absolute path. */
export function keepBackup(dataDir: string, bytes: Uint8Array, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
  const file = path.join(backups(dataDir), `claude-settings-${stamp}-${randomBytes(3).toString('hex')}.json`)
  try {
    makePrivate(dataDir)
    makePrivate(backups(dataDir))
    writeWhole(file, bytes, 0o600)
    syncFolder(backups(dataDir))
  } catch (cause) {
    throw unusable(cause, file, 'written')
  }
  return file
}

/** The settings file before our first entry: whether it existed, and which containers were empty. */
const Footprint = z.object({
  settingsFile: z.string(),
  created: z.boolean(),
  filled: z.array(z.object({ path: z.array(z.string()), was: z.string().nullable() })),
})
export interface Footprint {
  created: boolean
  filled: Filled[]
}

const footprintFile = (dataDir: string, target: string) => path.join(backups(dataDir), `hooks-${hash('sha256', target).slice(0, 12)}.json`)

/** Null if not recorded or unreadable; a removal then removes containers that become empty. */
export function readFootprint(dataDir: string, target: string): Footprint | null {
  try {
    const parsed = Footprint.safeParse(JSON.parse(fs.readFileSync(footprintFile(dataDir, target), 'utf8')))
    return parsed.success && parsed.data.settingsFile === target ? parsed.data : null
  } catch (cause) {
    if (cause instanceof SyntaxError || codeOf(cause) !== undefined) return null
    throw cause
  }
}

export function writeFootprint(dataDir: string, target: string, footprint: Footprint): void {
  const file = footprintFile(dataDir, target)
  try {
    replaceWhole(file, Buffer.from(JSON.stringify({ settingsFile: target, ...footprint })), 0o600)
  } catch (cause) {
    throw unusable(cause, file, 'written')
  }
}

export const forgetFootprint = (dataDir: string, target: string) => fs.rmSync(footprintFile(dataDir, target), { force: true })

function makePrivate(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chmodSync(folder, 0o700)
}

function replaceWhole(file: string, bytes: Uint8Array, mode: number): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeWhole(temporary, bytes, mode)
    fs.renameSync(temporary, file)
    syncFolder(path.dirname(file))
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}
