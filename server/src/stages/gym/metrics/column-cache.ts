/** A decoded column of a recently requested curve, so that a zoom reads only new blocks. */
export interface Column {
  /** Only the first `length` numbers are valid. */
  data: Float64Array
  length: number
  /** The newest block that was read, which may have grown since, and where it begins in `data`. */
  block: number
  from: number
}

const MAX_BYTES = 96 * 1024 * 1024

export function createColumnCache(emptyValue: number) {
  const columns = new Map<string, Column>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= columns.get(key)?.data.byteLength ?? 0
    columns.delete(key)
  }
  return {
    /** The cached column, or an empty one. */
    open(run: number, name: string): Column {
      const key = `${run} ${name}`
      const column = columns.get(key) ?? { data: new Float64Array(), length: 0, block: 0, from: 0 }
      columns.delete(key)
      columns.set(key, column)
      return column
    },
    /** Sets the column's length, and drops the least recently used columns if the cache is full. */
    grow(run: number, name: string, column: Column, length: number): void {
      if (length > column.data.length) {
        const wider = new Float64Array(Math.ceil(length * 1.5)).fill(emptyValue)
        wider.set(column.data)
        bytes += wider.byteLength - column.data.byteLength
        column.data = wider
      }
      column.length = length
      for (const key of columns.keys()) {
        if (bytes <= MAX_BYTES || key === `${run} ${name}`) break
        drop(key)
      }
    },
    /** Drops the columns of a run whose points were removed. */
    forget(run: number): void {
      for (const key of columns.keys()) if (key.startsWith(`${run} `)) drop(key)
    },
  }
}
