/** The client's setting that records which files shell commands change; switched on with the exact change shown, and undone. */
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { ShellEditsSetting } from '#contracts/entities/capture.ts'
import { type Change, changeFile, NEW_FILE, withReadableErrors } from './change-file.ts'
import { type Footprint, readFootprint } from './hook-script.ts'
import { appendMember, contentOf, layoutOf, removeChild } from './json-edit.ts'
import { decodeUtf8 } from './json-text.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { parseSettings } from './settings-hooks.ts'

const SETTING = 'bashEditDiffEnabled'
const NOTHING: Footprint = { created: false, filled: [] }

export function createShellEdits({ dataDir, settingsFile, now }: { dataDir: string; settingsFile: string; now: () => number }) {
  const where = { dataDir, settingsFile: path.resolve(settingsFile), now, added: 'shell-edits' as const }
  const planOf = (file: SettingsFile, on: boolean): Change =>
    withReadableErrors(where.settingsFile, () => {
      const before = file.bytes === null ? '' : decodeUtf8(file.bytes)
      const text = file.bytes === null ? NEW_FILE : before
      const { root } = parseSettings(text)
      const index = root.members.findIndex(({ key }) => key === SETTING)
      const value = root.members[index]?.value
      const isOn = value?.kind === 'boolean' && value.value
      const unchanged = { before, after: file.bytes === null ? null : before, footprint: NOTHING }
      if (isOn === on || (!on && value === undefined)) return unchanged
      if (on) {
        const filled = [
          { path: [SETTING], was: value === undefined ? null : text.slice(value.start, value.end) },
          ...(root.members.length === 0 ? [{ path: [], was: contentOf(text, root) }] : []),
        ]
        const after =
          value === undefined
            ? appendMember(text, root, SETTING, true, 0, layoutOf(text, root))
            : `${text.slice(0, value.start)}true${text.slice(value.end)}`
        return { before, after, footprint: { created: file.bytes === null, filled } }
      }
      const recorded = readFootprint(dataDir, file.target, 'shell-edits') ?? NOTHING
      const of = (...parts: string[]) => recorded.filled.find(({ path: one }) => one.join('\0') === parts.join('\0'))?.was ?? null
      const was = of(SETTING)
      if (was !== null) return { before, after: `${text.slice(0, value!.start)}${was}${text.slice(value!.end)}`, footprint: NOTHING }
      const after = removeChild(text, root, index, of() ?? '')
      return { before, after: recorded.created && root.members.length === 1 ? null : after, footprint: NOTHING }
    })
  const report = (): ShellEditsSetting => {
    const file = readSettingsFile(where.settingsFile)
    const isOn = planOf(file, true).after === (file.bytes === null ? null : decodeUtf8(file.bytes))
    const { before, after } = planOf(file, !isOn)
    return {
      isOn,
      settingsFile: where.settingsFile,
      exists: file.bytes !== null,
      diff: createTwoFilesPatch(where.settingsFile, where.settingsFile, before, after ?? '', 'now', isOn ? 'after undoing it' : 'after'),
    }
  }
  return {
    report,
    set(on: boolean): ShellEditsSetting {
      changeFile(where, on, (file) => planOf(file, on))
      return report()
    },
  }
}
