import { openLines } from './lines.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'

type Label = string | null

/** Positions of the lines of a file, and the labels that pages are chosen by: 16 bytes a line and label. */
export interface LineIndex {
  offsets: Float64Array
  lengths: Uint32Array
  labels: { codes: ReadonlyMap<Label, number>; of: Uint32Array }[]
}

export interface Page<T> {
  items: T[]
  /** Place among the lines that fit, to go on from; null at the end. */
  next: number | null
  total: number
}

/** Reads the file once. `labelsOf` gives a line's labels, as many for each line. For workers. */
export function indexOf(file: string, labelsOf: (line: string) => readonly Label[]): LineIndex {
  const offsets: number[] = []
  const lengths: number[] = []
  const columns: { codes: Map<Label, number>; of: number[] }[] = []
  for (const { text, offset, length } of readLines(file)) {
    offsets.push(offset)
    lengths.push(length)
    for (const [at, label] of labelsOf(text).entries()) {
      const { codes, of } = (columns[at] ??= { codes: new Map<Label, number>(), of: [] })
      if (!codes.has(label)) codes.set(label, codes.size)
      of.push(codes.get(label)!)
    }
  }
  return {
    offsets: Float64Array.from(offsets),
    lengths: Uint32Array.from(lengths),
    labels: columns.map(({ codes, of }) => ({ codes, of: Uint32Array.from(of) })),
  }
}

/** Lines with these labels (undefined: any), from a place among them. Only the lines of the page are read. */
export function pageOf<T>(
  file: string,
  { offsets, lengths, labels }: LineIndex,
  wanted: readonly (string | undefined)[],
  { from, limit }: { from: number; limit: number },
): Page<T> {
  const tests = wanted.flatMap((label, at) =>
    label === undefined || !labels[at] ? [] : [{ of: labels[at].of, code: labels[at].codes.get(label) ?? -1 }],
  )
  const lines: number[] = []
  let total = tests.length === 0 ? offsets.length : 0
  if (tests.length === 0) for (let line = from; line < Math.min(offsets.length, from + limit); line += 1) lines.push(line)
  else
    for (let line = 0; line < offsets.length; line += 1) {
      if (!tests.every(({ of, code }) => of[line] === code)) continue
      if (total >= from && lines.length < limit) lines.push(line)
      total += 1
    }
  const next = from + lines.length < total && lines.length > 0 ? from + lines.length : null
  if (lines.length === 0) return { items: [], next, total }
  const open = openLines(file)
  try {
    const items = lines.map((line) => JSON.parse(open.at({ offset: offsets[line]!, length: lengths[line]! })) as T) // written by us
    return { items, next, total }
  } finally {
    open.close()
  }
}
