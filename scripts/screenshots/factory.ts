// What the pictures of the factory show: two versions of a data set, and pairs to review.
import { jobDone, type RunningServer } from '../../e2e/support/server.ts'

/** Builds what the screens of data sets and pairs need. Answers the ids of the versions, oldest first. */
export async function addFactory(server: RunningServer): Promise<string[]> {
  const run = async (place: string, body: unknown) => {
    const { id } = await server.api<{ id: string }>(place, { method: 'POST', body })
    return (await jobDone(server, id)).result as { id: string }
  }
  const recipe = { kind: 'sft', name: 'everyday', minQuality: 0, split: { val: 0.2 } }
  const versions = [
    await run('/api/datasets', { ...recipe, dedup: { near: false } }),
    await run('/api/datasets', { ...recipe, balance: [{ by: 'repo', cap: 6 }], canaries: 1, examples: { maxTurns: 8 } }),
  ]
  await run('/api/factory/pairs/find', { selection: { filter: {} } })
  return versions.map(({ id }) => id)
}
