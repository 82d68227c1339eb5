/** The entry of the guard in the settings of Claude Code: a hook that is asked before each command. */
import fs from 'node:fs'
import path from 'node:path'
import { type Change, changeFile, NEW_FILE, withReadableErrors } from './change-file.ts'
import { commandFor, scriptFor } from './hook-command.ts'
import { readFootprint, replaceFile } from './hook-script.ts'
import { decodeUtf8 } from './json-text.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { handlersOf, parseSettings, withHooks, withoutHooks } from './settings-hooks.ts'

const EVENT = 'PreToolUse'
/** Seconds; the script itself waits ten. */
const TIMEOUT = 15
const NOTHING = { created: false, filled: [] }

export interface GuardHookOptions {
  dataDir: string
  /** The script that ships with the product, and where a copy for this data directory goes. */
  source: string
  script: string
  settingsFile: string
  now: () => number
}

export function createGuardHook({ dataDir, source, script, now, ...options }: GuardHookOptions) {
  const settingsFile = path.resolve(options.settingsFile)
  const command = commandFor(script)
  const where = { dataDir, settingsFile, now, added: 'guard' } as const

  const planOf = (file: SettingsFile, isAdding: boolean): Change =>
    withReadableErrors(settingsFile, () => {
      const recorded = readFootprint(dataDir, file.target, 'guard')
      const before = file.bytes === null ? '' : decodeUtf8(file.bytes)
      if (isAdding) {
        const state = recorded ?? { created: file.bytes === null, filled: [] }
        const { text, filled } = withHooks(file.bytes === null ? NEW_FILE : before, {
          command,
          events: [EVENT],
          matcher: 'Bash',
          timeout: TIMEOUT,
          filled: state.filled,
        })
        return { before, after: text, footprint: { created: state.created, filled: [...state.filled, ...filled] } }
      }
      if (file.bytes === null) return { before: '', after: null, footprint: NOTHING }
      const after = withoutHooks(before, command, recorded?.filled ?? [])
      const isEmptied = after !== before && recorded?.created === true && parseSettings(after).root.members.length === 0
      return { before, after: isEmptied ? null : after, footprint: NOTHING }
    })

  return {
    /** Our mod runs it too. */
    writeScript: (): void => replaceFile(script, Buffer.from(scriptFor(fs.readFileSync(source, 'utf8'), dataDir)), 0o700),
    set: (isOn: boolean): void => void changeFile(where, isOn, (file) => planOf(file, isOn)),
    /** False for settings that cannot be read. */
    isInstalled(): boolean {
      try {
        const { bytes } = readSettingsFile(settingsFile)
        return bytes !== null && handlersOf(parseSettings(decodeUtf8(bytes))).some((one) => one.event === EVENT && one.command === command)
      } catch {
        return false
      }
    },
  }
}
