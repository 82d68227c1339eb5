import { axe, expect, listed, open, reload, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'], expectedErrors: /404 \(Not Found\)|400 \(Bad Request\)/ })

test('the page of a session that was deleted through the API says that it is not in the archive', async ({ app, server }) => {
  const [session] = await listed(server)
  await open(app, server, `/traces?id=${session?.id}`)
  await expect(app.getByRole('heading', { level: 2, name: session?.title ?? '' })).toBeVisible()
  await server.api(`/api/traces/${session?.id}`, { method: 'DELETE' })
  await reload(app)
  await expect(app.getByRole('heading', { name: 'This session is not in the archive' })).toBeVisible()
})

test.describe('looked at', () => {
  test.use({ looks: true })

  test('a link to a missing session says that it is missing, gives possible reasons, and leads back to the list', async ({
    app,
    server,
  }) => {
    const id = 'abcdefghijklmnopqrstuvwx23'
    await open(app, server, `/traces?id=${id}`)
    const missing = app.getByRole('region', { name: 'Session not found' })
    await expect(missing).toContainText('This session is not in the archive')
    await expect(missing).toContainText('forgotten')
    await expect(missing).toContainText(id)
    expect(await axe(app)).toEqual([])
    await missing.getByRole('button', { name: 'Back to the list' }).click()
    await expect(missing).toBeHidden()
    await expect(app).not.toHaveURL(/id=/)
    await expect(rowsOf(app)).toHaveCount(2)
  })

  test('a link with an invalid session id opens the list', async ({ app, server }) => {
    for (const id of ['foo', '%25ff', '%3Cb%3E', 'x'.repeat(30_000)]) {
      await open(app, server, `/traces/${id}`)
      await expect(rowsOf(app), id.slice(0, 8)).toHaveCount(2)
    }
  })

  test('an invalid URL shows an error page with a link to the app', async ({ app, server }) => {
    for (const id of ['%00', '%ff', '%E0%A4%A', '..%2fx']) {
      await app.goto(`${server.url}/traces/${id}`)
      await expect(app.getByRole('heading', { name: 'This page cannot be shown' }), id).toBeVisible()
      expect(await axe(app), id).toEqual([])
      await app.getByRole('link', { name: 'Open Bash Gym' }).click()
      await expect(app.getByRole('navigation', { name: 'Sections' }), id).toBeVisible()
    }
  })
})
