import { StringDecoder } from 'node:string_decoder'

/** In characters. A longer line is split, so that output without a line end cannot fill the memory. */
const MAX_LENGTH = 1024 * 1024

/**
 * Splits a stream into lines, independent of its chunks. Lines end with \n, \r\n or, in progress bars, \r. (Node's
 * readline also splits at U+2028, which JSON may contain.)
 */
export function lineSplitter(onLine: (line: string) => void, maxLength = MAX_LENGTH) {
  const decoder = new StringDecoder('utf8')
  let partial = ''
  let endedWithReturn = false

  const add = (text: string) => {
    if (text === '') return
    const added = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
    endedWithReturn = text.endsWith('\r')
    const lines = added.split(/\r\n|\n|\r/)
    lines[0] = partial + lines[0]
    partial = lines.pop()!
    for (const line of lines) onLine(line)
    while (partial.length > maxLength) {
      onLine(partial.slice(0, maxLength))
      partial = partial.slice(maxLength)
    }
  }
  return {
    write: (chunk: Buffer): void => add(decoder.write(chunk)),
    end(): void {
      add(decoder.end())
      if (partial !== '') onLine(partial)
      partial = ''
    },
  }
}
