import type { Readable } from 'node:stream'
import { jsonOf } from '#server/adapters/tools/json.ts'

/** JSON values, a line each. What is no JSON is left out. Throws where a line is longer than `most` bytes. */
export async function* jsonLines(stream: Readable, most: number): AsyncGenerator<unknown, void> {
  let buffered: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const value = jsonOf(Buffer.concat([...buffered, chunk.subarray(from, end)]).toString('utf8'))
      if (value !== undefined) yield value
      buffered = []
      bytes = 0
      from = end + 1
    }
    buffered.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > most) throw new Error(`It wrote a line of more than ${most} bytes.`)
  }
}
