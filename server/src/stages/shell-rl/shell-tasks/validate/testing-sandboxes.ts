import type { TestServer } from '#server/testing/server.ts'
import type { TaskSandboxDeps } from './task-sandbox.ts'

/** The sandboxes of a server, over its API. */
export const sandboxesOf = ({ client }: Pick<TestServer, 'client'>): TaskSandboxDeps['sandboxes'] => ({
  create: (body) => client.createSandbox({ body }),
  start: (id, body) => client.startSandbox({ params: { id }, body }),
  exec: (id, body) => client.execInSandbox({ params: { id }, body }),
  openSession: (id, body) => client.openSandboxSession({ params: { id }, body }),
  stop: async (id, remove) => {
    await client.stopSandbox({ params: { id }, body: { remove } })
    return null
  },
})
