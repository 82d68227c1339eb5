import { jobDone } from '../support/server.ts'
import { axe, expect, listed, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

test('Home shows how far the work got, each number opens its rows, and the one next step moves on with it', async ({ app, server }) => {
  const [first, ...others] = await listed(server)
  const tier = (id: string, tier: string) => server.api(`/api/traces/${id}/promote`, { method: 'POST', body: { tier } })
  for (const { id } of others) await tier(id, 'bronze')
  await tier(first!.id, 'gold')

  await open(app, server, '/')
  const loop = app.getByRole('region', { name: 'Loop' })
  const next = loop.getByRole('group', { name: 'Next step' })
  await expect(loop.getByRole('link', { name: 'Captured: 3 sessions' })).toBeVisible()
  await expect(loop.getByRole('link', { name: 'Decided: 3 sessions' })).toBeVisible()
  await expect(loop.getByText('narrowest')).toHaveCount(1)
  await expect(loop.getByRole('link', { name: 'In use: 0 sessions' })).toBeVisible()
  await expect(loop.getByRole('link', { name: '0 steps' })).toBeVisible()
  await expect(next).toContainText('Build a data set from 1 session')
  await expect(app.getByRole('contentinfo')).toContainText('3 → 3 → 0 → 0 → 0 → 0 · Build')
  expect(await axe(app)).toEqual([])

  await loop.getByRole('link', { name: 'Captured to decided: 100 %, 3 sessions' }).click()
  await expect(rowsOf(app)).toHaveCount(3)
  await app.goBack()
  await next.getByRole('link', { name: 'Build' }).click()
  await expect(app.getByRole('region', { name: 'What is built' }).getByText('1 session', { exact: true })).toBeVisible()

  await open(app, server, '/')
  const { id } = await server.api<{ id: string }>('/api/datasets', {
    method: 'POST',
    body: { kind: 'sft', name: 'mine', traceIds: [first!.id] },
  })
  await jobDone(server, id)
  await expect(loop.getByRole('link', { name: 'In a data set: 1 session' })).toBeVisible()
  await expect(next).toContainText('Train a first model')
  await next.getByRole('link', { name: 'Train' }).click()
  await expect(app.getByRole('combobox', { name: 'Data set' })).toContainText('mine v1')
})
