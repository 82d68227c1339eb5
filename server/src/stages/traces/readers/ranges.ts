import { readRange } from '../../capture/archive/reader.ts'
import type { ArchivedSource } from '../../capture/types.ts'
import type { Location } from '../derived.ts'
import { isObject, type RawRecord } from './claude-code/record.ts'
import { bodyIn } from './dialects/index.ts'

/** Records this close together, in bytes, are read at once: a frame is unpacked as a whole anyway. */
const GAP = 256 * 1024
const MAX_READ_BYTES = 16 * 1024 * 1024

/** Records of a session by their archive position, each read and parsed once. */
export class RecordsInArchive {
  private readonly sources: ArchivedSource[]
  private readonly records = new Map<string, RawRecord>()

  constructor(sources: ArchivedSource[]) {
    this.sources = sources
  }

  get(location: Location): RawRecord | undefined {
    return this.records.get(keyOf(location))
  }

  load(locations: readonly Location[]): void {
    const unique = new Map(locations.map((location) => [keyOf(location), location]))
    for (const group of Map.groupBy(unique.values(), ({ source, generation }) => `${source}\0${generation}`).values()) {
      const source = this.sources.find(({ name, generation }) => name === group[0]!.source && generation === group[0]!.generation)
      if (source) for (const run of runsOf(group)) this.read(source, run)
    }
  }

  private read(source: ArchivedSource, run: Location[]): void {
    const start = run[0]!.offset
    const bytes = readRange(source, start, endOf(run.at(-1)!) - start)
    for (const location of run) {
      const record = bodyIn(source.agent, bytes.subarray(location.offset - start, endOf(location) - start))
      if (isObject(record)) this.records.set(keyOf(location), record)
    }
  }
}

const keyOf = ({ source, generation, offset }: Location): string => `${source}\0${generation}\0${offset}`
const endOf = ({ offset, length }: Location): number => offset + length

/** Ranges in order, joined if they are close. */
function runsOf(locations: Location[]): Location[][] {
  const runs: Location[][] = []
  for (const location of locations.toSorted((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1)
    const joins = run && location.offset - endOf(run.at(-1)!) <= GAP && endOf(location) - run[0]!.offset <= MAX_READ_BYTES
    if (joins) run.push(location)
    else runs.push([location])
  }
  return runs
}

/** At most `limit` bytes of UTF-8, never half a character. */
export function clip(text: string, limit: number): { text: string; isCut: boolean } {
  if (text.length * 3 <= limit || Buffer.byteLength(text) <= limit) return { text, isCut: false }
  const bytes = Buffer.from(text.slice(0, limit))
  let end = Math.min(limit, bytes.length)
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  const cut = bytes.toString('utf8', 0, end)
  // slice() may split a surrogate pair, which becomes a replacement character.
  return { text: cut.endsWith('\uFFFD') && !text.startsWith(cut) ? cut.slice(0, -1) : cut, isCut: true }
}
