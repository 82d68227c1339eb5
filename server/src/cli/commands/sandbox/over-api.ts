import type { Client } from '#contracts/derive/client.ts'
import type { Routes } from '#contracts/routes/index.ts'
import type { Sandboxes } from './sandboxes.ts'

/** Sandboxes of a running app, or of the app inside this process. */
export const overApi = (client: Client<Routes>): Sandboxes => ({
  create: (spec, { idempotencyKey, keep = true } = {}) =>
    client.createSandbox({ body: { ...spec, keep, ...(idempotencyKey !== undefined && { idempotencyKey }) } }),
  start: (id, wait, signal) => client.startSandbox({ params: { id }, body: { wait }, ...(signal && { signal }) }),
  exec: (id, body, signal) => client.execInSandbox({ params: { id }, body, ...(signal && { signal }) }),
  stop: (id, remove) => client.stopSandbox({ params: { id }, body: { remove } }),
  list: () => client.listSandboxes({ query: { limit: 100 } }),
  trajectory: (id) => client.getSandboxTrajectory({ params: { id } }),
  trajectoryText: async (id) => (await client.getSandboxTrajectoryText({ params: { id } })).text(),
  interrupt: (id) => client.interruptSandbox({ params: { id }, body: {} }),
  usage: async () => (await client.listSandboxUsage()).items,
  putFile: (id, body) => client.putSandboxFile({ params: { id }, body }),
})
