import { CLOSE } from '#contracts/messages.ts'
import type { Events } from '#server/events/events.ts'
import { createEndpoint, type Endpoint, type EndpointContext } from './endpoint.ts'
import { createSubscriber, parseClientMessage, type SocketLimits, type Subscriber } from './subscriber.ts'

/** Serves `/ws`, with one subscriber for each connection. */
export function createEventSocket(events: Events, context: EndpointContext & { limits: SocketLimits }): Endpoint {
  const { limits } = context
  const subscribers = new Set<Subscriber>()
  const endpoint = createEndpoint(
    {
      keyOf: (text) => parseClientMessage(text)?.key,
      serve(connection) {
        const subscriber = createSubscriber(events, { ...connection, limits })
        subscribers.add(subscriber)
        return {
          receive: (frame) => (typeof frame === 'string' ? subscriber.receive(frame) : connection.refuse(CLOSE.badMessage)),
          close() {
            subscriber.close()
            subscribers.delete(subscriber)
          },
        }
      },
    },
    context,
  )
  const stopMessages = events.subscribe((message) => {
    if (subscribers.size === 0) return
    const text = JSON.stringify(message) // once for all clients
    for (const subscriber of subscribers) subscriber.deliver(message, text)
  })
  const stopEpochs = events.onNewEpoch(() => {
    for (const subscriber of subscribers) subscriber.reset('the database was recreated')
  })
  return {
    ...endpoint,
    get clients() {
      return endpoint.clients
    },
    async close() {
      stopMessages()
      stopEpochs()
      await endpoint.close()
    },
  }
}
