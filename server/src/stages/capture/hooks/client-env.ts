/** Variables that the client's settings give to its sessions (`env`): set with the exact change shown, and undone to the same bytes. */
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { ClientChange } from '#contracts/entities/router.ts'
import { type Change, changeFile, NEW_FILE, withReadableErrors } from './change-file.ts'
import { type Footprint, readFootprint } from './hook-script.ts'
import { appendMember, contentOf, layoutOf, removeChild } from './json-edit.ts'
import { decodeUtf8, type JsonObject, JsonTextError, member, stringOf } from './json-text.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { parseSettings } from './settings-hooks.ts'

const ENV = 'env'
const NOTHING: Footprint = { created: false, filled: [] }

export function createClientEnv({ dataDir, settingsFile, now }: { dataDir: string; settingsFile: string; now: () => number }) {
  const where = { dataDir, settingsFile: path.resolve(settingsFile), now, added: 'client-env' as const }
  const recordedOf = (file: SettingsFile) => readFootprint(dataDir, file.target, 'client-env') ?? NOTHING
  const textOf = ({ bytes }: SettingsFile) => (bytes === null ? '' : decodeUtf8(bytes))

  /** `value` null: as it was before ours. */
  const planOf = (file: SettingsFile, name: string, value: string | null): Change =>
    withReadableErrors(where.settingsFile, () => {
      const recorded = recordedOf(file)
      if (value !== null) return added(file, { name, value, recorded })
      if (file.bytes === null) return { before: '', after: null, footprint: NOTHING }
      return removed(textOf(file), name, recorded)
    })

  return {
    settingsFile: where.settingsFile,
    get: (name: string): string | null =>
      withReadableErrors(where.settingsFile, () => {
        const file = readSettingsFile(where.settingsFile)
        return file.bytes === null ? null : stringOf(envIn(textOf(file)).env ?? undefined, name)
      }),
    /** What the variable was before ours; null for none. */
    before(name: string): string | null {
      const was = wasOf(recordedOf(readSettingsFile(where.settingsFile)), ENV, name)
      return was === null ? null : (JSON.parse(was) as string)
    },
    preview(
      name: string,
      value: string | null,
    ): Pick<ClientChange, 'settingsFile' | 'exists' | 'diff'> & { before: string; after: string | null } {
      const file = readSettingsFile(where.settingsFile)
      const { before, after } = planOf(file, name, value)
      const diff = createTwoFilesPatch(where.settingsFile, where.settingsFile, before, after ?? '', 'now', 'after')
      return { settingsFile: where.settingsFile, exists: file.bytes !== null, diff, before, after }
    },
    set(name: string, value: string | null): boolean {
      const { filled } = recordedOf(readSettingsFile(where.settingsFile))
      const isLeft = value !== null || filled.some(({ path: [, one] }) => one !== undefined && one !== name)
      return changeFile(where, isLeft, (file) => planOf(file, name, value)).changed
    },
  }
}

function envIn(text: string): { root: JsonObject; env: JsonObject | null } {
  const { root } = parseSettings(text)
  const env = member(root, ENV)?.value ?? null
  if (env !== null && env.kind !== 'object') throw new JsonTextError(text, env.start, '"env" must be an object')
  return { root, env }
}

const wasOf = ({ filled }: Footprint, ...parts: string[]): string | null =>
  filled.find(({ path: one }) => one.join('\0') === parts.join('\0'))?.was ?? null
/** What was found now replaces what was recorded of the same place before: the user may have changed it since. */
const newest = (all: Footprint['filled']) => [...new Map(all.map((one) => [one.path.join('\0'), one])).values()]

function added(file: SettingsFile, { name, value, recorded }: { name: string; value: string; recorded: Footprint }): Change {
  const text = file.bytes === null ? NEW_FILE : decodeUtf8(file.bytes)
  const { root, env } = envIn(text)
  const layout = layoutOf(text, root)
  const found = env === null ? undefined : member(env, name)
  const known = recorded.filled.find(({ path: one }) => one.join('\0') === [ENV, name].join('\0'))
  const isOurs = known !== undefined && found !== undefined && (known.put === undefined || stringOf(env ?? undefined, name) === known.put)
  const was = isOurs ? known.was : found ? text.slice(found.value.start, found.value.end) : null
  const filled = newest([
    ...recorded.filled,
    ...(root.members.length === 0 ? [{ path: [], was: contentOf(text, root) }] : []),
    ...(env === null ? [{ path: [ENV], was: null }] : env.members.length === 0 ? [{ path: [ENV], was: contentOf(text, env) }] : []),
    { path: [ENV, name], was, put: value },
  ])
  const after = found
    ? `${text.slice(0, found.value.start)}${JSON.stringify(value)}${text.slice(found.value.end)}`
    : env === null
      ? appendMember(text, root, ENV, { [name]: value }, 0, layout)
      : appendMember(text, env, name, value, 1, layout)
  const before = file.bytes === null ? '' : text
  const isSame = env !== null && stringOf(env, name) === value
  return { before, after: isSame ? before : after, footprint: { created: recorded.created || file.bytes === null, filled } }
}

function removed(text: string, name: string, recorded: Footprint): Change {
  const { root, env } = envIn(text)
  const index = env?.members.findIndex(({ key }) => key === name) ?? -1
  const value = env?.members[index]?.value
  const others = recorded.filled.filter(({ path: one }) => one.join('\0') !== [ENV, name].join('\0'))
  const footprint = others.some(({ path: one }) => one.length === 2) ? { ...recorded, filled: others } : NOTHING
  if (env === null || value === undefined) return { before: text, after: text, footprint }
  const was = wasOf(recorded, ENV, name)
  if (was !== null) return { before: text, after: `${text.slice(0, value.start)}${was}${text.slice(value.end)}`, footprint }
  if (env.members.length > 1) return { before: text, after: removeChild(text, env, index, ''), footprint }
  const empty = wasOf(recorded, ENV)
  if (empty !== null) return { before: text, after: removeChild(text, env, index, empty), footprint }
  if (recorded.created && root.members.length === 1) return { before: text, after: null, footprint }
  const at = root.members.findIndex(({ key }) => key === ENV)
  return { before: text, after: removeChild(text, root, at, wasOf(recorded) ?? ''), footprint }
}
