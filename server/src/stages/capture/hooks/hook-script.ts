/** Files that an install writes to the data directory: the script, the spool, backups, and a record for the removal. */
import { hash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { scriptFor } from './hook-command.ts'
import { codeOf, syncFolder, fileError, writeNewFile } from './settings-file.ts'
import type { FilledContainer } from './settings-hooks.ts'

export interface HookPlaces {
  dataDir: string
  /** The script that ships with the product. */
  hookSource: string
}

const hookFile = (dataDir: string) => path.join(dataDir, 'hook')
const backups = (dataDir: string) => path.join(dataDir, 'backups')

/** Compares the installed script with the one that would be installed. */
export function scriptState({ dataDir, hookSource }: HookPlaces): 'installed' | 'missing' | 'not-executable' | 'differs' {
  const expected = scriptFor(fs.readFileSync(hookSource, 'utf8'), dataDir)
  let installed: string
  try {
    installed = fs.readFileSync(hookFile(dataDir), 'utf8')
  } catch {
    return 'missing'
  }
  if ((fs.statSync(hookFile(dataDir)).mode & 0o100) === 0) return 'not-executable'
  return installed === expected ? 'installed' : 'differs'
}

/** Writes the script and creates the spool. A hook that starts at the same time runs the old or the new script. */
export function writeScript({ dataDir, hookSource }: HookPlaces): void {
  const script = scriptFor(fs.readFileSync(hookSource, 'utf8'), dataDir)
  try {
    for (const folder of [dataDir, path.join(dataDir, 'spool'), backups(dataDir)]) createPrivateFolder(folder)
    replaceFile(hookFile(dataDir), Buffer.from(script), 0o700)
  } catch (cause) {
    throw fileError(cause, hookFile(dataDir), 'written')
  }
}

/** Backs up the exact bytes of a settings file under a unique name; returns the absolute path. */
export function saveBackup(dataDir: string, bytes: Uint8Array, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[:.]/g, '-')
  const file = path.join(backups(dataDir), `claude-settings-${stamp}-${randomBytes(3).toString('hex')}.json`)
  try {
    createPrivateFolder(dataDir)
    createPrivateFolder(backups(dataDir))
    writeNewFile(file, bytes, 0o600)
    syncFolder(backups(dataDir))
  } catch (cause) {
    throw fileError(cause, file, 'written')
  }
  return file
}

/** The state of the settings file before our first entry: whether we created it, and which containers were empty. */
const Footprint = z.object({
  settingsFile: z.string(),
  created: z.boolean(),
  filled: z.array(z.object({ path: z.array(z.string()), was: z.string().nullable(), put: z.string().optional() })),
})
export interface Footprint {
  created: boolean
  filled: FilledContainer[]
}

/** What was added: our hooks, the setting that records the edits of shell commands, variables, or the hook of the guard. */
export type Added = 'hooks' | 'shell-edits' | 'client-env' | 'guard'

const footprintFile = (dataDir: string, settingsFile: string, added: Added) =>
  path.join(backups(dataDir), `${added}-${hash('sha256', settingsFile).slice(0, 12)}.json`)

/** Null if nothing readable is recorded; a removal then also removes containers that become empty. */
export function readFootprint(dataDir: string, settingsFile: string, added: Added = 'hooks'): Footprint | null {
  try {
    const parsed = Footprint.safeParse(JSON.parse(fs.readFileSync(footprintFile(dataDir, settingsFile, added), 'utf8')))
    return parsed.success && parsed.data.settingsFile === settingsFile ? parsed.data : null
  } catch (cause) {
    if (cause instanceof SyntaxError || codeOf(cause) !== undefined) return null
    throw cause
  }
}

export function writeFootprint(dataDir: string, settingsFile: string, footprint: Footprint, added: Added = 'hooks'): void {
  const file = footprintFile(dataDir, settingsFile, added)
  try {
    createPrivateFolder(backups(dataDir))
    replaceFile(file, Buffer.from(JSON.stringify({ settingsFile, ...footprint })), 0o600)
  } catch (cause) {
    throw fileError(cause, file, 'written')
  }
}

export const removeFootprint = (dataDir: string, settingsFile: string, added: Added = 'hooks') =>
  fs.rmSync(footprintFile(dataDir, settingsFile, added), { force: true })

function createPrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chmodSync(folder, 0o700)
}

/** Replaces a file of ours whole. */
export function replaceFile(file: string, bytes: Uint8Array, mode: number): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeNewFile(temporary, bytes, mode)
    fs.renameSync(temporary, file)
    syncFolder(path.dirname(file))
  } finally {
    fs.rmSync(temporary, { force: true })
  }
}
