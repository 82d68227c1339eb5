import fs from 'node:fs'
import type { ChangedFile } from '#contracts/entities/task.ts'
import type { ChangedEntry } from '#server/adapters/git/tree-entry.ts'
import { type FileLines, type Hunk, readPatch } from './patch.ts'

export interface DiffInput {
  /** The file with the output of `git diff-tree -p`. */
  file: string
  entries: ChangedEntry[]
}
export type ShownFile = Omit<ChangedFile, 'isRead' | 'leadsTo'>

const MAX_FILE_BYTES = 256 * 1024
const MAX_TOTAL_BYTES = 8 * 1024 * 1024

/** Prepares a change for display; a large change is limited to its first hunks. */
export default function diff({ file, entries }: DiffInput): ShownFile[] {
  let remainingBytes = MAX_TOTAL_BYTES
  const files = readPatch(fs.readFileSync(file), entries, () => MAX_FILE_BYTES)
  return entries.map((entry, index) => {
    const lines = files[index]!
    const hunks = lines.hunks.filter((hunk) => (remainingBytes -= sizeOf(hunk)) >= 0)
    return shown(entry, lines, hunks)
  })
}

const sizeOf = ({ lines }: Hunk): number => lines.reduce((sum, { text }) => sum + text.length + 1, 0)

function shown({ path, from, before, after }: ChangedEntry, file: FileLines, hunks: Hunk[]): ShownFile {
  const modes = { before: before?.mode ?? null, after: after?.mode ?? null }
  const kind = kindOf(after?.mode ?? before!.mode, file.isBinary)
  const hasLines = kind === 'text' && !(file.isShortened && file.hunks.length === 0 && file.added + file.removed === 0)
  return {
    path,
    from,
    status: statusOf({ path, from, before, after }),
    kind,
    modes,
    added: hasLines ? file.added : null,
    removed: hasLines ? file.removed : null,
    hunks: hunks.map(shownHunk),
    isShortened: file.isShortened || hunks.length < file.hunks.length,
  }
}

function statusOf({ from, before, after }: ChangedEntry): ChangedFile['status'] {
  if (before === null) return 'added'
  if (after === null) return 'deleted'
  if (from !== null) return 'renamed'
  if (before.mode.slice(0, 2) !== after.mode.slice(0, 2)) return 'type'
  return before.oid === after.oid ? 'mode' : 'modified'
}

function kindOf(mode: string, isBinary: boolean): ChangedFile['kind'] {
  if (mode === '160000') return 'submodule'
  if (mode === '120000') return 'symlink'
  return isBinary ? 'binary' : 'text'
}

function shownHunk({ id, header, before, after, lines }: Hunk): ChangedFile['hunks'][number] {
  let [old, next] = [before.line, after.line]
  return {
    id,
    header: textOf(header),
    lines: lines.map(({ sign, text, noNewline }) => ({
      kind: sign === ' ' ? ('context' as const) : sign === '+' ? ('added' as const) : ('removed' as const),
      text: textOf(text),
      before: sign === '+' ? null : old++,
      after: sign === '-' ? null : next++,
      noNewline,
    })),
  }
}

const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
