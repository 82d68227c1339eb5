import { openLines } from './lines.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'

type Label = string | null

/** Positions of the lines of a file, and their labels for filtering: 12 bytes a line, and 4 for each label. */
export interface LineIndex {
  offsets: Float64Array
  lengths: Uint32Array
  labels: { codes: ReadonlyMap<Label, number>; lineCodes: Uint32Array }[]
}

export interface Page<T> {
  items: T[]
  /** Where the next page starts among the matching lines; null at the end. */
  next: number | null
  total: number
}

/** Reads the file once. `labelsOf` must return the same number of labels for each line. For workers. */
export function indexOf(file: string, labelsOf: (line: string) => readonly Label[]): LineIndex {
  const offsets: number[] = []
  const lengths: number[] = []
  const columns: { codes: Map<Label, number>; lineCodes: number[] }[] = []
  for (const { text, offset, length } of readLines(file)) {
    offsets.push(offset)
    lengths.push(length)
    for (const [at, label] of labelsOf(text).entries()) {
      const { codes, lineCodes } = (columns[at] ??= { codes: new Map<Label, number>(), lineCodes: [] })
      if (!codes.has(label)) codes.set(label, codes.size)
      lineCodes.push(codes.get(label)!)
    }
  }
  return {
    offsets: Float64Array.from(offsets),
    lengths: Uint32Array.from(lengths),
    labels: columns.map(({ codes, lineCodes }) => ({ codes, lineCodes: Uint32Array.from(lineCodes) })),
  }
}

/** A page of the lines with these labels (undefined: any). Reads only the lines of the page. */
export function pageOf<T>(
  file: string,
  { offsets, lengths, labels }: LineIndex,
  labelFilter: readonly (string | undefined)[],
  { from, limit }: { from: number; limit: number },
): Page<T> {
  const tests = labelFilter.flatMap((label, at) =>
    label === undefined || !labels[at] ? [] : [{ lineCodes: labels[at].lineCodes, code: labels[at].codes.get(label) ?? -1 }],
  )
  const lines: number[] = []
  let total = tests.length === 0 ? offsets.length : 0
  if (tests.length === 0) for (let line = from; line < Math.min(offsets.length, from + limit); line += 1) lines.push(line)
  else
    for (let line = 0; line < offsets.length; line += 1) {
      if (!tests.every(({ lineCodes, code }) => lineCodes[line] === code)) continue
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
