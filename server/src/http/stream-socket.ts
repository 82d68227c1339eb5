import { CLOSE } from '#contracts/messages.ts'
import { createStreamConnection, parseStreamRequest } from '#server/streams/connection.ts'
import type { StreamImplementation } from '#server/streams/source.ts'
import { createEndpoint, type Endpoint, type EndpointContext, type EndpointLimits } from './endpoint.ts'

/** More than the windows of all streams of a client, so only a client that sends without reading reaches it. */
const MAX_BUFFERED = 16 * 1024 * 1024

/** Serves `/ws/streams`, which carries all byte streams of a client over one connection. */
export function createStreamSocket(
  streams: readonly StreamImplementation[],
  { guard, log, limits }: EndpointContext & { limits: EndpointLimits },
): Endpoint {
  return createEndpoint(
    {
      keyOf(text) {
        const request = parseStreamRequest(text)
        return request?.type === 'open' ? request.key : undefined
      },
      serve(connection) {
        const client = createStreamConnection(streams, {
          send: (frame) => connection.send(frame),
          refuse() {
            client.close()
            connection.refuse(CLOSE.badMessage)
          },
          onError: (error) => log.error({ err: error }, 'A stream failed'),
        })
        return client
      },
    },
    { guard, log, limits: { ...limits, maxBuffered: MAX_BUFFERED } },
  )
}
