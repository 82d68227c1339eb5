import type { z } from 'zod'
import type { ChangeSelection } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import type { Contents } from './contents.ts'
import type { Target } from './decide.ts'
import { type FileLines, withHunks } from './diff/patch.ts'

export type Selection = z.infer<typeof ChangeSelection>

/** Selects a part of a change. `linesOf`: all hunks of the files for which single hunks are selected, by path. */
export async function select(
  entries: readonly ChangedEntry[],
  selection: Selection | undefined,
  linesOf: ReadonlyMap<string, FileLines>,
  contents: Contents,
): Promise<{ targets: Target[]; isWhole: boolean }> {
  if (selection === undefined) return { targets: entries.flatMap(wholeOf), isWhole: true }
  const chosen = new Map(selection.map((one) => [one.path, one.hunks]))
  const unknown = selection.find(({ path }) => !entries.some((entry) => entry.path === path))
  if (unknown) throw refusal(`This change has no file ${unknown.path}.`)
  const targets: Target[] = []
  let isWhole = true
  for (const entry of entries) {
    const ids = chosen.get(entry.path)
    const lines = linesOf.get(entry.path)
    if (!chosen.has(entry.path)) isWhole = false
    else if (ids === undefined || lines === undefined || selectsAll(entry, lines, ids)) targets.push(...wholeOf(entry))
    else {
      isWhole = false
      targets.push(...(await partOf(entry, lines, ids, contents)))
    }
  }
  return { targets, isWhole }
}

function selectsAll({ path }: ChangedEntry, { hunks }: FileLines, ids: readonly string[]): boolean {
  const unknown = ids.find((id) => !hunks.some((hunk) => hunk.id === id))
  if (unknown !== undefined) throw refusal(`${path} no longer has this part (${unknown}).`)
  return hunks.length > 0 && hunks.every(({ id }) => ids.includes(id))
}

const wholeOf = ({ path, from, before, after }: ChangedEntry): Target[] =>
  from === null
    ? [{ path, start: before, end: after }]
    : [
        { path: from, start: before, end: null, to: path },
        { path, start: null, end: after, ...(before && { from: { path: from, start: before } }) },
      ]

/** Keeps the old permissions, because they are not part of a hunk. */
async function partOf(
  { path, from, before, after }: ChangedEntry,
  { hunks }: FileLines,
  ids: readonly string[],
  contents: Contents,
): Promise<Target[]> {
  if (before === null || after === null || before.mode.slice(0, 3) !== '100' || after.mode.slice(0, 3) !== '100')
    throw refusal(`${path} can only be taken as a whole.`)
  const oid = await contents.add(withHunks(await contents.read(before.oid), hunks.filter(({ id }) => ids.includes(id)))) // prettier-ignore
  return wholeOf({ path, from, before, after: { mode: before.mode, oid } })
}

const refusal = (message: string) => new AppError('invalid_request', { message, hint: 'Load the change again: it has been replaced.' })
