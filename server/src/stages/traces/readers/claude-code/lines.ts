const NEWLINE = 10
const CARRIAGE_RETURN = 13

export interface Line {
  /** Without the newline, and without a carriage return before it. */
  bytes: Buffer
  offset: number
  /** 1 for the first line of the file. */
  number: number
}

/**
 * Splits a stream of bytes into lines. Only a newline ends a line: a partial line waits for the rest
 * (an incomplete last line is not an error). Long lines are joined once, so 50 MB lines cost one copy.
 */
export class LineSplitter {
  /** Bytes read so far. */
  position = 0
  private pending: Buffer[] = []
  private lineStart = 0
  private lineNumber = 0

  feed(offset: number, bytes: Buffer, onLine: (line: Line) => void): void {
    if (offset > this.position) throw new RangeError(`Bytes ${this.position} to ${offset} of this source are missing.`)
    const newBytes = offset < this.position ? bytes.subarray(this.position - offset) : bytes
    let start = 0
    for (let end = newBytes.indexOf(NEWLINE); end >= 0; end = newBytes.indexOf(NEWLINE, start)) {
      const tail = newBytes.subarray(start, end)
      const line = this.pending.length > 0 ? Buffer.concat([...this.pending, tail]) : tail
      this.pending = []
      this.lineNumber += 1
      onLine({
        bytes: line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line,
        offset: this.lineStart,
        number: this.lineNumber,
      })
      this.lineStart = this.position + end + 1
      start = end + 1
    }
    // A copy, because the piece may be a view of a reused buffer.
    if (start < newBytes.length) this.pending.push(Buffer.from(newBytes.subarray(start)))
    this.position += newBytes.length
  }

  /** Hands on the unfinished last line. `onLine` returns how many of its bytes it used; the rest waits for the newline. */
  takeUnfinished(onLine: (line: Line) => number): void {
    const bytes = this.unfinishedLine()
    if (bytes.length === 0) return
    const used = onLine({ bytes, offset: this.lineStart, number: this.lineNumber + 1 })
    this.lineStart += used
    this.pending = used < bytes.length ? [bytes.subarray(used)] : []
  }

  unfinishedLine(): Buffer {
    return this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending)
  }
}
