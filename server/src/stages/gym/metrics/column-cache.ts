/** Decoded columns of recently requested curves: a zoom reads only what came since. */
export interface Column {
  /** Longer than what is known; `length` numbers of it count. */
  data: Float64Array
  length: number
  /** The newest block that was read, which may have grown, and where it begins. */
  block: number
  from: number
}

const MAX_BYTES = 96 * 1024 * 1024

export function createColumnCache(fill: number) {
  const columns = new Map<string, Column>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= columns.get(key)?.data.byteLength ?? 0
    columns.delete(key)
  }
  return {
    /** The column as it is known, newest used last. */
    open(run: number, name: string): Column {
      const key = `${run} ${name}`
      const known = columns.get(key) ?? { data: new Float64Array(), length: 0, block: 0, from: 0 }
      columns.delete(key)
      columns.set(key, known)
      return known
    },
    /** Makes room for so many numbers. */
    grow(run: number, name: string, column: Column, length: number): void {
      if (length > column.data.length) {
        const wider = new Float64Array(Math.ceil(length * 1.5)).fill(fill)
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
    /** Of a run that takes points back, or is gone. */
    forget(run: number): void {
      for (const key of columns.keys()) if (key.startsWith(`${run} `)) drop(key)
    },
  }
}
