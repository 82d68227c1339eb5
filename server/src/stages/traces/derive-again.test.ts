import { afterAll, expect, it } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { wireSamples } from './testing-samples.ts'

const core = openCore()
afterAll(() => core.close())

/** A start of the app with readers of this version; returns the titles. */
async function start(rowsVersion: number, isFirst = false): Promise<(string | null)[]> {
  const app = wireSamples(core, { rowsVersion })
  await app.capture.start({ watch: false })
  if (isFirst) await app.importFolder()
  const { items } = await app.list('', 'title')
  await app.close()
  return items.map(({ title }) => title)
}

it('sessions of older imports are derived again when the readers changed, and only then', async () => {
  const titles = await start(1, true)
  expect(titles.length).toBeGreaterThan(0)
  core.db.exec("UPDATE traces SET title = 'of an older reader'")
  const outdated = titles.map(() => 'of an older reader')
  expect(await start(1)).toEqual(outdated)
  expect(await start(2)).toEqual(titles)
  core.db.exec("UPDATE traces SET title = 'of an older reader'")
  expect(await start(2)).toEqual(outdated)
})
