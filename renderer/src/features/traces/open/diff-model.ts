import { structuredPatch } from 'diff'
import type { z } from 'zod'
import type { ChangedFile, PatchHunk, Step } from '#contracts/entities/step.ts'
import type { DiffHunk, DiffLine, FileDiff } from './file-diff.ts'
import { netTexts } from './net-texts.ts'
import { netDiff } from './net-diff.ts'

type Hunk = z.infer<typeof PatchHunk>

/** Longer texts are not compared, because that takes too long; they are shown as removed and added. */
const COMPARE_LIMIT = 200_000

/** The change that an edit made: the client's own patch if recorded, else from the input of the call. Null: no edit. */
export function diffOf(step: Pick<Step, 'tool' | 'input' | 'patch' | 'file'>): FileDiff | null {
  // a patch without a position in the file has the line 0
  if (step.patch?.length)
    return fromHunks(
      step.file,
      step.patch,
      step.patch.some(({ oldStart, newStart }) => oldStart + newStart > 0),
    )
  const changes = changesOf(step.input)
  if (changes.length === 0) return null
  const hunks = changes.flatMap(({ before, after }) => compare(before, after))
  return fromHunks(step.file, hunks, false)
}

/** Old and new text of Edit, MultiEdit, Write and NotebookEdit, whose inputs are the client's. */
function changesOf(input: unknown): { before: string; after: string }[] {
  if (!isRecord(input)) return []
  if (Array.isArray(input['edits'])) return input['edits'].flatMap((edit) => changesOf(edit))
  if (typeof input['old_string'] === 'string' && typeof input['new_string'] === 'string') {
    return [{ before: input['old_string'], after: input['new_string'] }]
  }
  if (typeof input['content'] === 'string') return [{ before: '', after: input['content'] }]
  if (typeof input['new_source'] === 'string') return [{ before: '', after: input['new_source'] }]
  return []
}

function compare(before: string, after: string): Hunk[] {
  if (before.length + after.length > COMPARE_LIMIT) return [wholeHunk(before, after)]
  return structuredPatch('', '', before, after, '', '', { context: 3 }).hunks
}

function wholeHunk(before: string, after: string): Hunk {
  const removed = before === '' ? [] : before.split('\n')
  const added = after === '' ? [] : after.split('\n')
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  }
}

function fromHunks(file: string | null, hunks: readonly Hunk[], located: boolean): FileDiff {
  const diff: FileDiff = { file, hunks: hunks.map(numberLines), added: 0, removed: 0, located }
  for (const { lines } of diff.hunks) {
    for (const line of lines) {
      if (line.kind === 'added') diff.added += 1
      if (line.kind === 'removed') diff.removed += 1
    }
  }
  return diff
}

function numberLines(hunk: Hunk): DiffHunk {
  let old = hunk.oldStart
  let newNumber = hunk.newStart
  const lines: DiffLine[] = []
  for (const line of hunk.lines) {
    const text = line.slice(1)
    if (line.startsWith('+')) lines.push({ kind: 'added', old: null, new: newNumber++, text })
    else if (line.startsWith('-')) lines.push({ kind: 'removed', old: old++, new: null, text })
    // "\ No newline at end of file" is a remark about the line above it, not a line
    else if (!line.startsWith('\\')) lines.push({ kind: 'context', old: old++, new: newNumber++, text })
  }
  return { header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, lines }
}

/** The edits of one file in a session. */
export interface SessionFile {
  file: string
  edits: { step: Step; diff: FileDiff }[]
  /** All edits combined; null if they cannot be combined. */
  net: FileDiff | null
  /** Of the net change, or if there is none, of all changes together. */
  added: number
  removed: number
}

/** Files in the order of their first change. Failed and rejected edits changed nothing, so they are excluded. */
export function diffSession(steps: Iterable<Step>): SessionFile[] {
  const files = new Map<string, SessionFile>()
  for (const step of steps) {
    if (step.success !== true) continue
    for (const change of [step, ...(step.changes ?? []).map((one) => changeOf(step, one))]) {
      const diff = change.file === null ? null : change === step ? diffOf(step) : fromHunks(change.file, change.patch ?? [], true)
      if (change.file === null || diff === null) continue
      const entry = files.get(change.file) ?? { file: change.file, edits: [], net: null, added: 0, removed: 0 }
      entry.edits.push({ step: change, diff })
      entry.added += diff.added
      entry.removed += diff.removed
      files.set(change.file, entry)
    }
  }
  return [...files.values()].map((entry) => {
    const steps = entry.edits.map(({ step }) => step)
    const net = steps.length === 1 ? entry.edits[0]!.diff : (netDiff(entry.file, steps) ?? netOfTexts(entry.file, steps))
    return net === null ? entry : { ...entry, net, added: net.added, removed: net.removed }
  })
}

/** A shell command as the change of one file. */
const changeOf = (step: Step, { path, patch, created }: ChangedFile): Step & { created: boolean } => ({
  ...step,
  file: path,
  patch,
  created,
})
/** Without line numbers, because the edits have none. */
function netOfTexts(file: string, steps: readonly Step[]): FileDiff | null {
  const changes = netTexts(steps, changesOf)
  return (
    changes &&
    fromHunks(
      file,
      changes.flatMap(({ before, after }) => compare(before, after)),
      false,
    )
  )
}

/** Tools whose calls change files; their rows are the ones a whole-session diff reads. */
export const EDIT_TOOLS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'edit', 'write', 'apply_patch'])

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
