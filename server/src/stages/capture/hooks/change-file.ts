/** Changes a settings file of the client as planned, with a backup, and only if nobody changed it since it was read. */
import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { type Added, type Footprint, removeFootprint, saveBackup, writeFootprint } from './hook-script.ts'
import { JsonTextError } from './json-text.ts'
import { readSettingsFile, replaceSettingsFile, requireWritable, type SettingsFile } from './settings-file.ts'

export interface Change {
  before: string
  /** Null if the file is to be deleted. */
  after: string | null
  footprint: Footprint
}

export const NEW_FILE = '{}\n'
/** After this many attempts another program keeps writing the file, so the change is given up. */
const ATTEMPTS = 5

export function changeFile(
  { dataDir, settingsFile, now, added }: { dataDir: string; settingsFile: string; now: () => number; added: Added },
  isAdding: boolean,
  planOf: (file: SettingsFile) => Change,
): { changed: boolean; backupFile: string | null } {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const file = readSettingsFile(settingsFile)
    const plan = planOf(file)
    if (plan.after === plan.before || (plan.after === null && file.bytes === null)) return { changed: false, backupFile: null }
    requireWritable(file)
    const backupFile = file.bytes === null ? null : saveBackup(dataDir, file.bytes, now())
    if (isAdding) writeFootprint(dataDir, file.target, plan.footprint, added)
    if (!replaceSettingsFile(file, plan.after === null ? null : Buffer.from(plan.after))) {
      if (backupFile !== null) fs.rmSync(backupFile) // another program replaced these bytes, so nothing of them was lost
      continue
    }
    if (!isAdding) removeFootprint(dataDir, file.target, added)
    return { changed: true, backupFile }
  }
  throw new AppError('client_settings_invalid', {
    message: `${settingsFile} kept changing (${ATTEMPTS} attempts), so it was left unchanged.`,
    hint: 'Close the program that keeps changing it, then try again.',
  })
}

/** Converts syntax errors in the settings into errors for the user. */
export function withReadableErrors<T>(settingsFile: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause
    throw new AppError('client_settings_invalid', {
      message: `${settingsFile}, ${cause.message}. The file was left unchanged.`,
      hint: `Fix line ${cause.line}, then try again.`,
      details: { file: settingsFile, line: cause.line },
      cause,
    })
  }
}
