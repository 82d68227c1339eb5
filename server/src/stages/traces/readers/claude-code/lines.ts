const NEWLINE = 10

export interface Line {
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
    const fresh = offset < this.position ? bytes.subarray(this.position - offset) : bytes
    let start = 0
    for (let end = fresh.indexOf(NEWLINE); end >= 0; end = fresh.indexOf(NEWLINE, start)) {
      const tail = fresh.subarray(start, end)
      const line = this.pending.length > 0 ? Buffer.concat([...this.pending, tail]) : tail
      this.pending = []
      this.lineNumber += 1
      onLine({ bytes: line, offset: this.lineStart, number: this.lineNumber })
      this.lineStart = this.position + end + 1
      start = end + 1
    }
    // A copy, because the piece may be a view of a reused buffer.
    if (start < fresh.length) this.pending.push(Buffer.from(fresh.subarray(start)))
    this.position += fresh.length
  }

  /** The unfinished last line. */
  rest(): Buffer {
    return this.pending.length === 1 ? this.pending[0]! : Buffer.concat(this.pending)
  }
}
