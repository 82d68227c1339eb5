import path from 'node:path'
import { expect, test } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { killAt } from '#server/testing/killed.ts'
import { wireSamples } from './testing-samples.ts'

const PROGRAM = path.join(import.meta.dirname, 'testing-killed.ts')

/** Derives what is pending, as the next start does, then runs `inspect`. */
async function nextStart<T>(dataDir: string, inspect: (app: ReturnType<typeof wireSamples>) => Promise<T>): Promise<T> {
  const core = openCore({ dataDir })
  const app = wireSamples(core)
  try {
    await app.capture.derivePending({ reason: 'import' })
    return await inspect(app)
  } finally {
    await app.close()
    await core.workers.close()
    core.db.close()
  }
}

test('a kill loses no acknowledged decision', async () => {
  const dataDir = newFolder()
  const lines = await killAt(PROGRAM, [dataDir, 'promote'], (_, index) => index === 40)
  await nextStart(dataDir, async ({ traces }) => {
    const last = new Map(lines.map((line) => line.split(' ') as [string, string, string]).map(([id, tier, round]) => [id, { tier, round }]))
    for (const [id, { tier, round }] of last) {
      const history = traces.history(id)
      expect(history.map(({ why }) => why)).toContain(`round ${round}`)
      // If the kill came between a commit and its output, the newest decision is not in the output.
      const newest = history[0]!.why === `round ${round}` ? tier : history[0]!.tier
      expect(traces.trace(id)).toMatchObject({ tier: newest, tierSource: 'user' })
    }
  })
})

test('the next start finishes a killed rebuild and keeps decisions and ids', async () => {
  const dataDir = newFolder()
  const before = await nextStart(dataDir, async ({ importFolder, list, traces }) => {
    await importFolder()
    const { items } = await list('', 'title')
    traces.set(items[0]!.id, 'gold', 'user', null)
    traces.changeTags(items[1]!.id, { addTags: ['kept'] }, 'user')
    return (await list('', 'title')).items
  })
  await killAt(PROGRAM, [dataDir, 'rebuild'], (line) => line === 'rebuilding the database 3')
  await nextStart(dataDir, async ({ list, traces }) => {
    expect((await list('', 'title')).items).toEqual(before)
    await traces.settleSearch()
    expect(traces.searchStatus()).toBeNull()
  })
})
