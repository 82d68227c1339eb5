// Creates the data for the factory screenshots: two versions of a data set, and pairs to review.
import type { Page } from 'playwright'
import { jobDone, type RunningServer } from '../../e2e/support/server.ts'

/** Creates examples, some of them reviewed, and cuts a session by hand. */
export async function addExamples(server: RunningServer, cutSession: string): Promise<void> {
  const { items: steps } = await server.api<{ items: { id: string }[] }>(`/api/traces/${cutSession}/steps`)
  const cuts = [{ stepId: steps[3]?.id, boundary: true }]
  await server.api(`/api/traces/${cutSession}/segments/cuts`, { method: 'PUT', body: { cuts } })
  const body = { selection: { filter: {} }, minQuality: 0, unverified: true }
  const { id } = await server.api<{ id: string }>('/api/factory/examples/build', { method: 'POST', body })
  await jobDone(server, id)
  const { items } = await server.api<{ items: { id: string }[] }>('/api/factory/examples?sort=-steps')
  const review = (from: number, to: number, state: string) =>
    server.api('/api/factory/examples', {
      method: 'PATCH',
      body: { selection: { ids: items.slice(from, to).map((one) => one.id) }, state },
    })
  await review(0, 3, 'accepted')
  await review(4, 5, 'rejected')
  // a local endpoint, only for estimates; no request is sent to it
  const openai = { baseUrl: 'http://localhost:11434/v1', model: 'qwen2.5-coder:7b' }
  await server.api('/api/settings', { method: 'PATCH', body: { providers: { openai } } })
}

/** Fills the page for generating more and shows the estimate, without sending a request to a model. */
export async function estimateGrowth(page: Page, what: 'Variants' | 'New tasks'): Promise<void> {
  const choose = async (name: string, option: string | RegExp) => {
    await page.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('Provider', /^OpenAI-compatible/)
  if (what !== 'Variants') {
    await choose('Generate', what)
    await choose('Number of tasks', 'Custom')
    await page.getByRole('textbox', { name: 'Custom number of tasks' }).fill('12')
  }
  await page.getByRole('button', { name: 'Estimate cost' }).click()
  await page.getByRole('region', { name: 'Estimate' }).waitFor()
}

/** Builds what the screens of data sets and pairs need. Returns the version ids, oldest first. */
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
