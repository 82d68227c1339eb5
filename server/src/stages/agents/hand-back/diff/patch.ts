import { createHash } from 'node:crypto'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'

/** A line of a hunk. `text` has one character for each byte. */
export interface HunkLine {
  sign: ' ' | '+' | '-'
  text: string
  noNewline: boolean
}

export interface Hunk {
  /** Depends only on its lines, not on their position in the file. */
  id: string
  header: string
  before: { line: number; count: number }
  after: { line: number; count: number }
  lines: HunkLine[]
}

export interface FileLines {
  isBinary: boolean
  added: number
  removed: number
  hunks: Hunk[]
  /** Whether hunks are missing. */
  isShortened: boolean
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const FILE = Buffer.from('diff --git ')
const typeOf = (mode: string) => mode.slice(0, 2)

/** In a patch, a file that becomes a link appears twice: as a removed file and an added one. */
const appearsTwice = ({ before, after }: ChangedEntry): boolean =>
  before !== null && after !== null && typeOf(before.mode) !== typeOf(after.mode)

/**
 * Reads the hunks of a patch, in the order of its entries. `limitOf`: how many bytes of hunks are kept for a file. If the patch was
 * cut off, the remaining files are marked as shortened.
 */
export function readPatch(patch: Buffer, entries: readonly ChangedEntry[], limitOf: (entry: ChangedEntry) => number): FileLines[] {
  const lines = linesOf(patch.subarray(0, patch.lastIndexOf('\n') + 1))
  return entries.map((entry) => {
    const file: FileLines = { isBinary: false, added: 0, removed: 0, hunks: [], isShortened: false }
    let left = limitOf(entry)
    for (let part = appearsTwice(entry) ? 2 : 1; part > 0; part -= 1) {
      if (!lines.next()?.subarray(0, FILE.length).equals(FILE)) return { ...file, isShortened: true }
      for (let line = lines.peek(); line !== null && !line.subarray(0, FILE.length).equals(FILE); line = lines.peek()) {
        const header = lines.next()!.toString('latin1')
        if (/^Binary files .* differ$/s.test(header)) file.isBinary = true
        const hunk = hunkAt(header)
        if (hunk === null) continue
        const cost = readLines(lines, hunk, file)
        if (cost === null || cost > left) file.isShortened = true
        else file.hunks.push(hunk)
        left -= cost ?? 0
      }
    }
    nameHunks(entry.path, file.hunks)
    return file
  })
}

function hunkAt(header: string): Hunk | null {
  const [, before, countBefore = '1', after, countAfter = '1'] = HUNK.exec(header) ?? []
  if (before === undefined) return null
  return {
    id: '',
    header,
    before: { line: Number(before), count: Number(countBefore) },
    after: { line: Number(after), count: Number(countAfter) },
    lines: [],
  }
}

/** Reads the lines of a hunk. Returns their size in bytes, or null if the patch ends within the hunk. */
function readLines(lines: Lines, { before, after, lines: into }: Hunk, counts: FileLines): number | null {
  let [oldLines, newLines, bytes] = [before.count, after.count, 0]
  while (oldLines > 0 || newLines > 0) {
    const line = lines.next()?.toString('latin1')
    if (line === undefined) return null
    const sign = line[0] as HunkLine['sign']
    if (sign !== '+') oldLines -= 1
    if (sign !== '-') newLines -= 1
    if (sign === '+') counts.added += 1
    if (sign === '-') counts.removed += 1
    bytes += line.length
    const noNewline = lines.peek()?.[0] === 0x5c // a backslash
    if (noNewline) lines.next()
    into.push({ sign, text: line.slice(1), noNewline })
  }
  return bytes
}

function nameHunks(path: string, hunks: readonly Hunk[]): void {
  const seen = new Map<string, number>()
  for (const hunk of hunks) {
    const hash = createHash('sha256').update(`${path}\0`)
    for (const { sign, text, noNewline } of hunk.lines) hash.update(`${sign}${text}${noNewline ? '\\' : ''}\n`, 'latin1')
    const id = hash.digest('hex').slice(0, 16)
    const times = seen.get(id) ?? 0
    seen.set(id, times + 1)
    hunk.id = times === 0 ? id : `${id}-${times}`
  }
}

interface Lines {
  peek: () => Buffer | null
  next: () => Buffer | null
}

function linesOf(bytes: Buffer): Lines {
  let at = 0
  const endOf = () => {
    const end = bytes.indexOf(0x0a, at)
    return end === -1 ? bytes.length : end
  }
  const peek = () => (at >= bytes.length ? null : bytes.subarray(at, endOf()))
  return {
    peek,
    next() {
      const line = peek()
      if (line !== null) at += line.length + 1
      return line
    },
  }
}

/** Applies some hunks to a file. */
export function withHunks(start: Buffer, hunks: readonly Hunk[]): Buffer {
  const lines = start.toString('latin1').split(/(?<=\n)/)
  const parts: string[] = []
  let at = 0
  for (const { before, lines: changed } of hunks) {
    const first = before.count === 0 ? before.line : before.line - 1
    parts.push(...lines.slice(at, first))
    for (const { sign, text, noNewline } of changed) if (sign !== '-') parts.push(noNewline ? text : `${text}\n`)
    at = first + before.count
  }
  return Buffer.from([...parts, ...lines.slice(at)].join(''), 'latin1')
}
