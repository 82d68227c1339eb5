import { diffArrays } from 'diff'
import type { Step } from '#contracts/entities/step.ts'
import type { DiffHunk, DiffLine, FileDiff } from './file-diff.ts'

/** A line as it is after the edits so far. `base`: its number before the first of them; null: added by them. */
interface Line {
  base: number | null
  text: string
}
/** Lines that no edit has shown, unchanged. The last range has no end, because the length of the file is not recorded. */
interface Unseen {
  base: number
  count: number
}
type Part = Line | Unseen
const isUnseen = (part: Part): part is Unseen => 'count' in part

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3

/**
 * What is left of a file's edits in the end, put together from the client's patches: a line that one edit added and
 * another removed is not in it. Null if this is unknown: an edit has no recorded place, or the file was changed
 * between two of them by something else.
 */
export function netDiff(file: string, steps: readonly Pick<Step, 'tool' | 'input' | 'patch'>[]): FileDiff | null {
  let parts: Part[] = [{ base: 1, count: Infinity }]
  const removed = new Map<number, string>()
  for (const [index, step] of steps.entries()) {
    if (step.patch?.length) {
      // from the last to the first: each hunk's numbers are those before the edit
      for (const hunk of step.patch.toReversed()) if (!apply(parts, removed, hunk)) return null
    } else {
      const content = index === 0 ? contentOf(step) : null
      if (content === null) return null
      parts = linesOf(content).map((text) => ({ base: null, text }))
    }
  }
  return fromLines(file, listLines(parts, removed))
}

/** What a call wrote as a new file. */
function contentOf({ tool, input }: Pick<Step, 'tool' | 'input'>): string | null {
  if (tool.toLowerCase() !== 'write' || typeof input !== 'object' || input === null || !('content' in input)) return null
  return typeof input.content === 'string' ? input.content : null
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** False: the hunk does not fit the known lines of the file. */
function apply(parts: Part[], removed: Map<number, string>, hunk: NonNullable<Step['patch']>[number]): boolean {
  if (hunk.oldStart + hunk.newStart === 0) return false // a patch without a place in the file
  const first = Math.max(1, hunk.oldStart)
  const from = cutAt(parts, first)
  const to = cutAt(parts, first + hunk.oldLines)
  if (from === null || to === null) return false
  const before = parts
    .slice(from, to)
    .flatMap<{ base: number | null; text: string | null }>((part) => (isUnseen(part) ? expand(part) : part))
  const after: Line[] = []
  let at = 0
  for (const line of hunk.lines) {
    const text = line.slice(1)
    if (line.startsWith('+')) after.push({ base: null, text })
    else if (line.startsWith('-') || line.startsWith(' ')) {
      const old = before[at++]
      if (!old || (old.text !== null && old.text !== text)) return false
      if (line.startsWith(' ')) after.push({ base: old.base, text })
      else if (old.base !== null) removed.set(old.base, text)
    }
  }
  if (at !== before.length) return false
  parts.splice(from, to - from, ...after)
  return true
}

const expand = ({ base, count }: Unseen): { base: number; text: null }[] =>
  Array.from({ length: count }, (_, offset) => ({ base: base + offset, text: null }))

/** Index of the part that begins at a line (1-based); a run is cut in two for it. Null: the file has not so many lines. */
function cutAt(parts: Part[], line: number): number | null {
  let before = 1
  for (const [index, part] of parts.entries()) {
    if (before === line) return index
    const count = isUnseen(part) ? part.count : 1
    if (isUnseen(part) && line < before + count) {
      const head = line - before
      parts.splice(index, 1, { base: part.base, count: head }, { base: part.base + head, count: count - head })
      return index + 1
    }
    before += count
  }
  return before === line ? parts.length : null
}

/** Every known line in order, with null for each gap of unseen lines. */
function listLines(parts: readonly Part[], removed: ReadonlyMap<number, string>): (DiffLine | null)[] {
  const lines: (DiffLine | null)[] = []
  const gone = [...removed.keys()].toSorted((a, b) => a - b)
  let nextGone = 0
  let fresh = 1
  let added: string[] = []
  const change = (before: number) => {
    const olds: number[] = []
    for (; nextGone < gone.length && gone[nextGone]! < before; nextGone += 1) olds.push(gone[nextGone]!)
    let at = 0
    // a line that was removed and put back is no change
    for (const { value, added: isAdded, removed: isRemoved } of diffArrays(
      olds.map((old) => removed.get(old)!),
      added,
    )) {
      for (const text of value) {
        if (isAdded) lines.push({ kind: 'added', old: null, new: fresh++, text })
        else if (isRemoved) lines.push({ kind: 'removed', old: olds[at++]!, new: null, text })
        else lines.push({ kind: 'context', old: olds[at++]!, new: fresh++, text })
      }
    }
    added = []
  }
  for (const part of parts) {
    if (isUnseen(part)) {
      change(part.base)
      lines.push(null)
      fresh += part.count
    } else if (part.base === null) added.push(part.text)
    else {
      change(part.base)
      lines.push({ kind: 'context', old: part.base, new: fresh++, text: part.text })
    }
  }
  change(Infinity)
  return lines
}

/** The changes with a few lines around each. */
function fromLines(file: string, lines: readonly (DiffLine | null)[]): FileDiff {
  const shown = new Uint8Array(lines.length)
  lines.forEach((line, index) => {
    if (line === null || line.kind === 'context') return
    for (let near = index; near >= Math.max(0, index - CONTEXT) && lines[near] !== null; near -= 1) shown[near] = 1
    for (let near = index; near <= index + CONTEXT && near < lines.length && lines[near] !== null; near += 1) shown[near] = 1
  })
  const hunks: DiffHunk[] = []
  let open: DiffLine[] | null = null
  lines.forEach((line, index) => {
    if (line === null || !shown[index]) open = null
    else if (open === null) hunks.push({ header: '', lines: (open = [line]) })
    else open.push(line)
  })
  const all = hunks.flatMap((hunk) => hunk.lines)
  return {
    file,
    hunks: hunks.map((hunk) => ({ ...hunk, header: headerOf(hunk.lines) })),
    added: all.filter(({ kind }) => kind === 'added').length,
    removed: all.filter(({ kind }) => kind === 'removed').length,
    located: true,
  }
}

function headerOf(lines: readonly DiffLine[]): string {
  const side = (which: 'old' | 'new') => {
    const numbers = lines.flatMap((line) => line[which] ?? [])
    return `${numbers[0] ?? 0},${numbers.length}`
  }
  return `@@ -${side('old')} +${side('new')} @@`
}
