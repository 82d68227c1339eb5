import type { Database } from '#server/db/open.ts'
import { createColumnCache } from './column-cache.ts'

/** Position of a point on the curve. `seconds`: since the start, without pauses. `seq`: number of its event in the run. */
export interface Position {
  step: number
  epoch: number
  tokens: number
  seconds: number
  seq: number
}
/** Null: the value was NaN or infinite. */
export type Values = Readonly<Record<string, number | null>>

const POINTS = 256
/** Numbers of a `Position`. */
export const FIELDS = 5
/** The point has no value for this metric. NaN: the value was not finite. */
export const ABSENT = Number.NEGATIVE_INFINITY
const POSITIONS = ''

/** The stored float64 numbers, copied because they must begin at a multiple of eight bytes. */
const floats = (blob: Buffer) => new Float64Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))
const blobOf = (values: Float64Array): Buffer => Buffer.from(values.buffer, values.byteOffset, values.byteLength)

/** Prepared statements over `run_blocks`. Synchronous, in the caller's transaction. */
export function createBlockStore(db: Database) {
  const putBlock = db.prepare(
    'INSERT INTO run_blocks (run_no, name, block, data) VALUES (?, ?, ?, ?) ON CONFLICT (run_no, name, block) DO UPDATE SET data = excluded.data',
  )
  const last = db.prepare<[number], { block: number; data: Buffer }>(
    "SELECT block, data FROM run_blocks WHERE run_no = ? AND name = '' ORDER BY block DESC LIMIT 1",
  )
  const ofBlock = db.prepare<[number, number], { name: string; data: Buffer }>(
    'SELECT name, data FROM run_blocks WHERE run_no = ? AND block = ?',
  )
  const sinceBlock = db.prepare<[number, string, number], { block: number; data: Buffer }>(
    'SELECT block, data FROM run_blocks WHERE run_no = ? AND name = ? AND block >= ? ORDER BY block',
  )
  const newest = db.prepare<[number, string, number], { block: number; data: Buffer }>(
    'SELECT block, data FROM run_blocks WHERE run_no = ? AND name = ? ORDER BY block DESC LIMIT ?',
  )
  const names = db.prepare<[number], { name: string }>("SELECT DISTINCT name FROM run_blocks WHERE run_no = ? AND name <> '' ORDER BY name")
  const cache = createColumnCache(ABSENT)
  const cutFrom = db.prepare('DELETE FROM run_blocks WHERE run_no = ? AND block >= ?')

  /** Appends to the stored points. `flush` writes them. */
  function writer(run: number) {
    let block = 0
    let count = 0
    let positions = new Float64Array(POINTS * FIELDS)
    let columns = new Map<string, Float64Array>()
    let dirty = new Set<string>()
    let isTouched = false

    const load = () => {
      const newestBlock = last.get(run)
      block = newestBlock?.block ?? 0
      columns = new Map()
      positions = new Float64Array(POINTS * FIELDS)
      dirty = new Set()
      isTouched = false
      count = 0
      if (!newestBlock) return
      for (const { name, data } of ofBlock.all(run, block)) {
        const stored = floats(data)
        if (name === POSITIONS) {
          positions.set(stored)
          count = stored.length / FIELDS
        } else columnOf(name).set(stored)
      }
    }
    const columnOf = (name: string): Float64Array => {
      let column = columns.get(name)
      if (!column) columns.set(name, (column = new Float64Array(POINTS).fill(ABSENT)))
      return column
    }
    const flush = () => {
      if (!isTouched) return
      putBlock.run(run, POSITIONS, block, blobOf(positions.subarray(0, count * FIELDS)))
      for (const name of dirty) putBlock.run(run, name, block, blobOf(columnOf(name).subarray(0, count)))
      dirty.clear()
      isTouched = false
    }
    const startBlock = () => {
      flush()
      block += 1
      count = 0
      columns = new Map()
      positions = new Float64Array(POINTS * FIELDS)
    }
    /** Removes every point from this step on, because a killed run resumes from its checkpoint and repeats them. */
    const cut = (step: number) => {
      cache.forget(run)
      flush()
      for (;;) {
        if (count === 0) return
        let keep = count
        while (keep > 0 && positions[(keep - 1) * FIELDS]! >= step) keep -= 1
        if (keep > 0) {
          count = keep
          isTouched = true
          cutFrom.run(run, block + 1)
          for (const [name, column] of columns) {
            column.fill(ABSENT, keep)
            dirty.add(name)
          }
          return flush()
        }
        cutFrom.run(run, block)
        load()
      }
    }
    load()
    return {
      /** The newest point and which metrics it has; null before the first. */
      newest(): { step: number; has: (name: string) => boolean } | null {
        if (count === 0) return null
        const lastIndex = count - 1
        return { step: positions[lastIndex * FIELDS]!, has: (name) => (columns.get(name)?.[lastIndex] ?? ABSENT) !== ABSENT }
      },
      append(position: Position, values: Values): void {
        if (count === POINTS) startBlock()
        positions.set([position.step, position.epoch, position.tokens, position.seconds, position.seq], count * FIELDS)
        count += 1
        for (const [name, value] of Object.entries(values)) {
          columnOf(name)[count - 1] = value ?? Number.NaN
          dirty.add(name)
        }
        isTouched = true
      },
      cut,
      flush,
      /** Call it after a rolled-back transaction. */
      reload: load,
    }
  }

  return {
    writer,
    names: (run: number): string[] => names.all(run).map(({ name }) => name),
    /** Positions of all points, `FIELDS` numbers each. Only the first `count` points of the array are valid. */
    positions(run: number): { fields: Float64Array; count: number } {
      const column = cache.open(run, POSITIONS)
      for (const { block, data } of sinceBlock.all(run, POSITIONS, column.block)) {
        if (block > column.block) Object.assign(column, { block, from: column.length })
        const numbers = floats(data)
        cache.grow(run, POSITIONS, column, column.from + numbers.length)
        column.data.set(numbers, column.from)
      }
      return { fields: column.data, count: column.length / FIELDS }
    },
    /** Values of one metric at the first `count` points of `positions`. */
    values(run: number, name: string, count: number): Float64Array {
      const column = cache.open(run, name)
      cache.grow(run, name, column, count)
      for (const { block, data } of sinceBlock.all(run, name, column.block)) {
        column.block = block
        column.data.set(floats(data), block * POINTS) // every block but the newest is full
      }
      return column.data
    },
    /** The newest values of a metric with their steps, oldest first, from the newest `blocks` blocks that have it. */
    recent(run: number, name: string, blocks = 4): { step: number; value: number | null }[] {
      return newest
        .all(run, name, blocks)
        .toReversed()
        .flatMap(({ block, data }) => {
          const values = floats(data)
          const stored = ofBlock.all(run, block).find((one) => one.name === POSITIONS)
          const fields = stored ? floats(stored.data) : new Float64Array()
          return [...values].flatMap((value, at) =>
            value === ABSENT ? [] : [{ step: fields[at * FIELDS] ?? 0, value: Number.isNaN(value) ? null : value }],
          )
        })
    },
  }
}
export type BlockStore = ReturnType<typeof createBlockStore>
