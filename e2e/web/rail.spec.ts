import { expect, open, test } from './fixtures.ts'

test.use({ looks: true })

test('the rail has the sections by group, and marks the current one on its pages', async ({ app, server }) => {
  await open(app, server, '/agents/batches')
  const rail = app.getByRole('navigation', { name: 'Sections' })
  const groups: Record<string, string[]> = {}
  for (const list of await rail.getByRole('list').all()) {
    const name = await list.getAttribute('aria-label')
    if (name !== null) groups[name] = await list.getByRole('link').allTextContents()
  }
  expect(groups).toEqual({
    'Data sections': ['Traces', 'Examples', 'Pairs', 'Data sets'],
    'Models sections': ['Training', 'Models', 'Evaluator', 'Router'],
    'Run sections': ['Agents', 'Sandboxes', 'Shell tasks'],
    'Watch sections': ['Privacy', 'Guardrails', 'Profiler'],
  })
  await expect(rail.getByRole('link', { name: 'Agents' })).toHaveAttribute('aria-current', 'page')
  await expect(app.getByRole('navigation', { name: 'Agents' }).getByRole('link', { name: 'Batches' })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('old addresses lead on, with their query and their fragment', async ({ app, server }) => {
  for (const [old, now, title] of [
    ['/arena', '/sandboxes', 'Sandboxes'],
    ['/arena/tasks?state=active#end', '/agents?state=active#end', 'Agents'],
    ['/arena/batches/new', '/agents/batches/new', 'New batch'],
    ['/arena/checks', '/agents/checks', 'Check a project'],
    ['/arena/shell-tasks?split=starter', '/shell-tasks?split=starter', 'Shell tasks'],
    ['/arena/rollouts', '/shell-tasks/rollouts', 'Rollouts'],
    ['/arena/environments', '/shell-tasks/environments', 'Environments'],
    ['/settings/arena', '/settings/sandboxes', 'Sandboxes'],
    ['/agents/tasks?state=active', '/agents?state=active', 'Agents'],
  ] as const) {
    await open(app, server, old)
    await expect(app.getByRole('heading', { level: 1, name: title }), old).toBeVisible()
    await expect(app).toHaveURL(new URL(now, app.url()).href)
  }
})
