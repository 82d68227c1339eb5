import { diffArrays } from 'diff'
import type { Step } from '#contracts/entities/step.ts'
import type { DiffHunk, DiffLine, FileDiff } from './file-diff.ts'

/** A line after the edits so far. `base` is its number before the first edit; null if an edit added it. */
interface Line {
  base: number | null
  text: string
}
/** Unchanged lines that no patch contains. The last range has no end, because the length of the file is not recorded. */
interface Unseen {
  base: number
  count: number
}
type Part = Line | Unseen
const isUnseen = (part: Part): part is Unseen => 'count' in part

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3

/**
 * The net change of a file, combined from the client's patches: a line that one edit added and another removed is not in
 * it. Null if it can't be computed: an edit has no recorded position, or something else changed the file between edits.
 */
export function netDiff(file: string, steps: readonly (Pick<Step, 'tool' | 'input' | 'patch'> & { created?: boolean })[]): FileDiff | null {
  let parts: Part[] = [{ base: 1, count: Infinity }]
  const removed = new Map<number, string>()
  for (const [index, step] of steps.entries()) {
    if (step.created && index === 0) parts = [] // the file has no other lines
    if (step.patch?.length) {
      // the last hunk first, because line numbers are those before the edit
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

/** False if the hunk does not fit the known lines of the file. */
function apply(parts: Part[], removed: Map<number, string>, hunk: NonNullable<Step['patch']>[number]): boolean {
  if (hunk.oldStart + hunk.newStart === 0) return false // a patch without a position in the file
  const first = Math.max(1, hunk.oldStart)
  const from = splitAt(parts, first)
  const to = splitAt(parts, first + hunk.oldLines)
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

/** Index of the part that begins at a line (1-based); splits a range if needed. Null if the file has fewer lines. */
function splitAt(parts: Part[], line: number): number | null {
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
  const removedNumbers = [...removed.keys()].toSorted((a, b) => a - b)
  let nextRemoved = 0
  let newNumber = 1
  let added: string[] = []
  const flushChange = (before: number) => {
    const oldNumbers: number[] = []
    for (; nextRemoved < removedNumbers.length && removedNumbers[nextRemoved]! < before; nextRemoved += 1)
      oldNumbers.push(removedNumbers[nextRemoved]!)
    let at = 0
    // a line that was removed and added again is not a change
    for (const { value, added: isAdded, removed: isRemoved } of diffArrays(
      oldNumbers.map((old) => removed.get(old)!),
      added,
    )) {
      for (const text of value) {
        if (isAdded) lines.push({ kind: 'added', old: null, new: newNumber++, text })
        else if (isRemoved) lines.push({ kind: 'removed', old: oldNumbers[at++]!, new: null, text })
        else lines.push({ kind: 'context', old: oldNumbers[at++]!, new: newNumber++, text })
      }
    }
    added = []
  }
  for (const part of parts) {
    if (isUnseen(part)) {
      flushChange(part.base)
      lines.push(null)
      newNumber += part.count
    } else if (part.base === null) added.push(part.text)
    else {
      flushChange(part.base)
      lines.push({ kind: 'context', old: part.base, new: newNumber++, text: part.text })
    }
  }
  flushChange(Infinity)
  return lines
}

/** The changes with a few lines around each. */
function fromLines(file: string, lines: readonly (DiffLine | null)[]): FileDiff {
  const isShown = new Uint8Array(lines.length)
  lines.forEach((line, index) => {
    if (line === null || line.kind === 'context') return
    for (let near = index; near >= Math.max(0, index - CONTEXT) && lines[near] !== null; near -= 1) isShown[near] = 1
    for (let near = index; near <= index + CONTEXT && near < lines.length && lines[near] !== null; near += 1) isShown[near] = 1
  })
  const hunks: DiffHunk[] = []
  let currentHunk: DiffLine[] | null = null
  lines.forEach((line, index) => {
    if (line === null || !isShown[index]) currentHunk = null
    else if (currentHunk === null) hunks.push({ header: '', lines: (currentHunk = [line]) })
    else currentHunk.push(line)
  })
  const allLines = hunks.flatMap((hunk) => hunk.lines)
  return {
    file,
    hunks: hunks.map((hunk) => ({ ...hunk, header: headerOf(hunk.lines) })),
    added: allLines.filter(({ kind }) => kind === 'added').length,
    removed: allLines.filter(({ kind }) => kind === 'removed').length,
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
