import { StringDecoder } from 'node:string_decoder'

/** In characters. A longer line is cut, so that output without a line end cannot fill the memory. */
const LONGEST = 1024 * 1024

/**
 * Cuts the chunks of a stream into lines, wherever a chunk ends. Lines end with \n, \r\n or, in progress bars, \r. (Node's
 * readline also cuts at U+2028, which JSON may hold.)
 */
export function lineSplitter(onLine: (line: string) => void, longest = LONGEST) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let endedWithReturn = false

  const take = (text: string) => {
    if (text === '') return
    const added = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text
    endedWithReturn = text.endsWith('\r')
    const lines = added.split(/\r\n|\n|\r/)
    lines[0] = rest + lines[0]
    rest = lines.pop()!
    for (const line of lines) onLine(line)
    while (rest.length > longest) {
      onLine(rest.slice(0, longest))
      rest = rest.slice(longest)
    }
  }
  return {
    write: (chunk: Buffer): void => take(decoder.write(chunk)),
    end(): void {
      take(decoder.end())
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}
