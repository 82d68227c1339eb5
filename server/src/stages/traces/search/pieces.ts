import { chunks } from '#server/stages/capture/index.ts'
import { free } from '#server/workers/free.ts'
import type { ArchivedSource } from '#server/stages/capture/index.ts'
import type { EntryKind } from '../derived.ts'
import type { StoredEntry } from '../rows.ts'
import { bodyIn } from '../readers/dialects/index.ts'
import { MAX_TEXT, textOf } from './texts.ts'

/** One record's part in the text of an entry. */
export interface Piece {
  rowid: number
  kind: EntryKind
  part: 'body' | 'result'
  source: string
  generation: number
  offset: number
  length: number
  block: number
}

export interface Text {
  rowid: number
  text: string
}

type Row = Pick<StoredEntry, 'rowid' | 'kind' | 'location' | 'result'>

/** Positions of the text of an entry. */
export function piecesOf(row: Row): Piece[] {
  const pieces = [pieceOf(row, 'body', row.location)]
  if (row.result !== null) pieces.push(pieceOf(row, 'result', row.result))
  return pieces
}

function pieceOf({ rowid, kind }: Row, part: 'body' | 'result', packed: string): Piece {
  const [source, generation, offset, length, block] = JSON.parse(packed) as [string, number, number, number, number]
  return { rowid, kind, part, source, generation, offset, length, block }
}

/**
 * Texts of entries, read in one pass over each source: a frame is unpacked once and a record parsed once, regardless of how many
 * entries share it. An entry is returned when its last piece was read.
 */
export function* textsOf(sources: readonly ArchivedSource[], pieces: readonly Piece[]): Generator<Text> {
  const pendingEntries = new Map<number, { remaining: number; parts: string[] }>()
  for (const { rowid } of pieces) {
    const entry = pendingEntries.get(rowid)
    if (entry) entry.remaining += 1
    else pendingEntries.set(rowid, { remaining: 1, parts: [] })
  }
  const bySource = Map.groupBy(pieces, (piece) => `${piece.source}\0${piece.generation}`)
  for (const [key, sourcePieces] of bySource) {
    const source = sources.find((one) => `${one.name}\0${one.generation}` === key)
    if (!source) continue // reported by `verify`; the readable rest is still indexed
    const sorted = sourcePieces.toSorted((a, b) => a.offset - b.offset || a.length - b.length)
    for (const { piece, record } of recordsOf(source, sorted)) {
      const entry = pendingEntries.get(piece.rowid)!
      const text = textOf(record, piece.block, piece.kind, piece.part)
      if (text) entry.parts.push(text)
      entry.remaining -= 1
      if (entry.remaining > 0) continue
      pendingEntries.delete(piece.rowid)
      yield { rowid: piece.rowid, text: entry.parts.join('\n').slice(0, MAX_TEXT) }
    }
  }
  for (const [rowid, { parts }] of pendingEntries) if (parts.length) yield { rowid, text: parts.join('\n').slice(0, MAX_TEXT) }
}

/** The parsed record of each piece, in the order of the source; null if it does not parse. */
function* recordsOf(source: ArchivedSource, sorted: readonly Piece[]): Generator<{ piece: Piece; record: unknown }> {
  const first = sorted[0]
  if (!first) return
  const frames = chunks(source, first.offset)
  let window: Buffer = Buffer.alloc(0)
  let windowAt = first.offset
  let last: { offset: number; length: number; record: unknown } | undefined
  for (const piece of sorted) {
    if (last?.offset !== piece.offset || last.length !== piece.length) {
      const end = piece.offset + piece.length
      while (windowAt + window.length < end) {
        const next = frames.next()
        if (next.done) break
        // Earlier bytes are no longer needed, because pieces are sorted by offset.
        const remainder = window.subarray(Math.min(window.length, Math.max(0, piece.offset - windowAt)))
        const remainderAt = windowAt + window.length - remainder.length
        const oldWindow = window
        window = remainder.length ? Buffer.concat([remainder, next.value]) : next.value
        windowAt = remainderAt
        free(oldWindow)
        if (remainder.length) free(next.value)
      }
      const bytes = window.subarray(Math.max(0, piece.offset - windowAt), Math.max(0, end - windowAt))
      last = { offset: piece.offset, length: piece.length, record: bodyIn(source.agent, bytes) }
    }
    yield { piece, record: last.record }
  }
  frames.return(undefined)
}
