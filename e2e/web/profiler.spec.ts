import { expect, listed, open, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'], looks: true })

test('the slowest session opens as a waterfall that keys move through, and leads to the session and back', async ({ app, server }) => {
  await open(app, server, '/profiler')
  const list = app.getByRole('grid', { name: 'Sessions' })
  await expect(list.getByRole('row')).toHaveCount(4)
  await app.getByRole('link', { name: 'Open the slowest' }).click()

  const spans = app.getByRole('treegrid', { name: 'Spans' })
  await expect(spans.getByRole('row').nth(1)).toContainText('claude-code')
  await app.keyboard.press('j')
  await app.keyboard.press('j')
  const facts = app.getByRole('complementary', { name: 'Span' })
  await expect(facts).toContainText('Model')
  await expect(facts).toContainText('Cache read')
  await app.keyboard.press('+')
  await expect(app.getByRole('button', { name: 'Zoom out' })).not.toHaveAttribute('aria-disabled', 'true')
  await app.keyboard.press('w')
  await expect(spans.getByRole('columnheader', { name: 'Cache write' })).toBeVisible()
  await app.keyboard.press('w')

  await facts.getByRole('link', { name: 'Show it in the session' }).click()
  await expect(app).toHaveURL(/\/traces\?id=\w+&item=/)
  await app.getByRole('button', { name: 'Profile: where the time went' }).click()
  await expect(spans).toBeVisible()
  await app.getByRole('button', { name: 'Charts' }).click()
  await expect(app.getByRole('figure', { name: /Tokens by turn/ })).toBeVisible()
  await expect(app.getByRole('table', { name: 'Tools by time' })).toContainText('Bash')
})

test('a sub-agent is inside its call, and a profile is exported for Perfetto', async ({ app, server }) => {
  const session = (await listed(server)).find(({ counts }) => counts.subagents > 0)!
  await open(app, server, `/profiler/${session.id}`)
  const rows = app.getByRole('treegrid', { name: 'Spans' }).getByRole('row')
  await expect(rows.filter({ hasText: 'Agent' }).and(app.locator('[aria-level="3"]'))).toHaveCount(1)
  await app.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([
    app.waitForEvent('download'),
    app.getByRole('menuitem', { name: 'Chrome trace (Perfetto), without secrets' }).click(),
  ])
  expect(file.suggestedFilename()).toBe(`${session.id}.perfetto.json`)
})

test('bars across sessions list exactly their sessions', async ({ app, server }) => {
  await open(app, server, '/profiler/across?by=tool')
  const row = app.getByRole('row').filter({ has: app.getByRole('link', { name: 'Grep', exact: true }) })
  const sessions = await row.getByRole('cell').nth(2).textContent()
  await row.getByRole('link', { name: 'List the sessions of Grep' }).click()
  await expect(app).toHaveURL(/\/traces\?q=tool/)
  await expect(app.getByRole('grid').getByRole('row')).toHaveCount(Number(sessions) + 1)
})
