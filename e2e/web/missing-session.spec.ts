import { axe, expect, listed, open, reload, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'], expectedErrors: /404 \(Not Found\)/ })

test('a link to a session that is not here says so, says why that can be, and leads back to the list', async ({ app, server }) => {
  const id = 'abcdefghijklmnopqrstuvwx23'
  await open(app, server, `/traces?id=${id}`)
  const missing = app.getByRole('region', { name: 'Session not found' })
  await expect(missing).toContainText('This session is not here')
  await expect(missing).toContainText('forgotten')
  await expect(missing).toContainText(id)
  expect(await axe(app)).toEqual([])
  await missing.getByRole('button', { name: 'Back to the list' }).click()
  await expect(missing).toBeHidden()
  await expect(app).not.toHaveURL(/id=/)
  await expect(rowsOf(app)).toHaveCount(2)
})

test('a session that was forgotten elsewhere is not here any more', async ({ app, server }) => {
  const [session] = await listed(server)
  await open(app, server, `/traces?id=${session?.id}`)
  await expect(app.getByRole('heading', { level: 2, name: session?.title ?? '' })).toBeVisible()
  await server.api(`/api/traces/${session?.id}`, { method: 'DELETE' })
  await reload(app)
  await expect(app.getByRole('heading', { name: 'This session is not here' })).toBeVisible()
})
