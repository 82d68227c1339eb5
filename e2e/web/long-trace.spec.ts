import fs from 'node:fs'
import path from 'node:path'
import { expect, jobsDone, open, rowsOf, test } from './fixtures.ts'
import { codeText, randomOf, sessionLines } from '../../bench/support/history.ts'

const STEPS = 2500

test.use({ expectedErrors: /500 \(Internal Server Error\)/ })

test('a session of 2,500 calls is drawn in part and can be read to its end', async ({ app, server, workspace }) => {
  const random = randomOf(3)
  const sessionId = 'c0ffee00-0000-4000-8000-000000000001'
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-long')
  fs.mkdirSync(folder, { recursive: true })
  const lines = sessionLines({
    sessionId,
    cwd: '/home/dev/long',
    bytes: 0,
    start: Date.UTC(2026, 0, 5),
    text: codeText(400_000, random),
    random,
    steps: STEPS,
  })
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), [...lines].map((line) => `${line}\n`).join(''))
  await server.api('/api/imports', { method: 'POST', body: {} })
  await jobsDone(server)

  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(1)
  const transcript = app.getByRole('region', { name: 'Transcript' })
  await rowsOf(app).first().click()
  await expect(transcript.getByRole('listitem').first()).toContainText('Please')

  const timeline = app.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText(/Items per \d* ?min/)
  await expect(timeline).toContainText(/\d+ tasks · zoom in/)
  await expect(timeline.locator('[data-boundary]'), 'no fence of task marks').toHaveCount(0)

  const items = app.getByText(/^[\d,]+ items$/)
  await expect(items).toBeVisible()
  const all = Number((await items.textContent())?.replace(/\D/g, ''))
  expect(all).toBeGreaterThan(STEPS)
  await expect(transcript.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(all))
  expect(await transcript.getByRole('listitem').count()).toBeLessThan(80)

  await transcript.focus()
  const last = transcript.locator(`[role=listitem][aria-posinset="${all}"]`)
  // rows that were never seen have an estimated height: the end moves while they get their texts, and is kept in view
  await app.keyboard.press('End')
  await expect(last).toBeInViewport()
  await expect(transcript.locator('.skeleton')).toHaveCount(0)
  await expect(last).toBeInViewport()
  await expect(last).not.toBeEmpty()

  // so it is from a button of a row, which keeps the focus when it is pressed
  await app.keyboard.press('Home')
  await expect(transcript.getByRole('listitem').first()).toBeInViewport()
  await transcript.getByRole('listitem').getByRole('button').first().focus()
  await app.keyboard.press('End')
  await expect(last).toBeInViewport()

  // a link to a step opens at it
  const { items: sessions } = await server.api<{ items: { id: string }[] }>('/api/traces')
  const { items: steps } = await server.api<{ items: { id: string }[] }>(`/api/traces/${sessions[0]?.id}/steps?limit=100`)
  const step = steps.at(-1)
  await open(app, server, `/traces?id=${sessions[0]?.id}&item=${step?.id}`)
  const marked = transcript.locator('[role=listitem][aria-current=true]')
  await expect(marked).toBeInViewport()
  expect(Number(await marked.getAttribute('aria-posinset'))).toBeGreaterThan(90)

  // and then it lets go, whatever scrolls on: a screen reader presses no key
  await expect(transcript.locator('.skeleton')).toHaveCount(0)
  await expect(async () => {
    await transcript.evaluate((element) => element.scrollBy(0, 5000))
    await expect(transcript.locator('.skeleton')).toHaveCount(0)
    await expect(marked).toHaveCount(0, { timeout: 500 })
  }).toPass()
  const place = await transcript.evaluate((element) => element.scrollTop)
  await transcript.evaluate((element) => element.scrollBy(0, 2000))
  await expect(transcript.locator('.skeleton')).toHaveCount(0)
  await expect(marked).toHaveCount(0)
  expect(await transcript.evaluate((element) => element.scrollTop)).toBeGreaterThan(place + 500)

  await test.step('a failed part of the timeline is reported, and read again on a press', async () => {
    const later = /\/timeline\?cursor=\w/
    const error = { code: 'internal', message: 'The disk did not answer.' }
    await app.route(later, (route) => route.fulfill({ status: 500, json: { error } }))
    await open(app, server, `/traces?id=${sessions[0]?.id}`)
    await expect(app.getByText("Couldn't load the steps")).toBeVisible()
    await expect(app.getByText('The disk did not answer.')).toBeVisible()
    await app.unroute(later)
    await app.getByRole('button', { name: 'Try again' }).click()
    await expect(transcript.getByRole('listitem').first()).toHaveAttribute('aria-setsize', String(all))
  })
})
