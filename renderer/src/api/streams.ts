import { STREAMS_PATH } from '#contracts/streams.ts'
import { sessionKey } from './session-key.ts'
import { type ByteStream, createStreams, type StreamOptions } from './stream-client.ts'

let streams: ReturnType<typeof createStreams> | null = null

/** Opens a stream of our server. */
export function openStream(options: StreamOptions): ByteStream {
  streams ??= createStreams({
    url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${STREAMS_PATH}`,
    key: sessionKey,
  })
  return streams.open(options)
}
