import type { Page } from '@playwright/test'
import { jobDone } from '../support/server.ts'
import { axe, expect, jobsDone, listed, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.50/fix-test'] })

const FIX_TEST = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'
const examples = (app: Page) => app.getByRole('grid', { name: 'Examples' }).locator('[role=row][aria-selected]')
const pane = (app: Page) => app.getByRole('region', { name: 'Example', exact: true })
const stateOf = (app: Page, state: string) =>
  app.getByRole('group', { name: 'State' }).getByRole('button', { name: new RegExp(`^${state}`) })

type Server = Parameters<typeof listed>[0]

/** Examples of every session are under review. */
async function made(server: Server): Promise<void> {
  const body = { selection: { filter: {} }, minQuality: 0 }
  const { id } = await server.api<{ id: string }>('/api/factory/examples/build', { method: 'POST', body })
  await jobDone(server, id)
}

test('sessions selected in Traces become examples; what came of it is said', async ({ app, server }) => {
  await open(app, server, '/factory/examples')
  await expect(app.getByRole('heading', { name: 'No examples yet' })).toBeVisible()
  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(3)
  for (const index of [0, 1]) await rowsOf(app).nth(index).getByRole('checkbox').check()
  await app.getByRole('toolbar', { name: 'Selected sessions' }).getByRole('button', { name: 'Make examples' }).click()
  await expect(app).toHaveURL(/\/factory\/examples\/new\?from=selection/)
  await expect(app.getByText('2 sessions selected.')).toBeVisible()
  await app.getByRole('button', { name: 'Make examples' }).click()
  const result = app.getByRole('region', { name: 'Result' })
  await expect(result).toContainText(/\d examples? of 2 sessions/)
  await result.getByRole('link', { name: 'Review them' }).click()
  await expect(examples(app).first()).toBeVisible()
  expect(await axe(app)).toEqual([])
})

test('what is left out is counted, and each reason opens what it stands for', async ({ app, server }) => {
  await open(app, server, '/factory/examples/new?quality=0.9')
  await expect(app.getByText(/of 3 will be read/)).toBeVisible()
  await app.getByRole('button', { name: 'Make examples' }).click()
  const reason = app.getByRole('region', { name: 'Result' }).getByRole('button', { name: /Quality too low/ })
  await reason.click()
  const link = app.getByRole('region', { name: 'Result' }).locator('a[href^="/traces?id="]').first()
  await link.click()
  await expect(app.getByRole('region', { name: 'Transcript' })).toBeVisible()
})

test('options are kept in the address and reach the examples', async ({ app, server }) => {
  await open(app, server, '/factory/examples/new?quality=any')
  await app.getByText('Options', { exact: true }).click()
  await app.getByLabel('Most turns').fill('3')
  await app.getByLabel('Most turns').press('Enter')
  await expect(app).toHaveURL(/options=/)
  await app.getByRole('button', { name: 'Make examples' }).click()
  await expect(app.getByRole('region', { name: 'Result' })).toContainText('examples of 3 sessions')
  const { items } = await server.api<{ items: { turns: number }[] }>('/api/factory/examples?limit=100')
  expect(Math.max(...items.map(({ turns }) => turns))).toBeLessThanOrEqual(3)
})

test.describe('review', () => {
  test.beforeEach(async ({ app, server }) => {
    await made(server)
    await open(app, server, '/factory/examples?sort=-tokens')
    await expect(examples(app).first()).toBeVisible()
  })

  test('accept, reject and undo by keys, on to the next one each time', async ({ app }) => {
    const total = await examples(app).count()
    await app.getByRole('grid', { name: 'Examples' }).focus()
    await app.keyboard.press('j')
    await app.keyboard.press('Space')
    await expect(pane(app)).toBeVisible()
    const first = new URL(app.url()).searchParams.get('id')
    await app.keyboard.press('a')
    await expect(stateOf(app, 'Accepted')).toContainText('1')
    await expect.poll(() => new URL(app.url()).searchParams.get('id')).not.toBe(first)
    await app.keyboard.press('Backspace')
    await expect(stateOf(app, 'Rejected')).toContainText('1')
    await app.keyboard.press('z')
    await expect(stateOf(app, 'Rejected')).toContainText('0')
    await app.keyboard.press('z')
    await expect(stateOf(app, 'To review')).toContainText(String(total))
    await app.keyboard.press('Escape')
    await expect(pane(app)).toBeHidden()
  })

  test('many at once, undone as one; a count leads to its rows', async ({ app }) => {
    const total = await examples(app).count()
    await app.getByRole('checkbox', { name: 'Select all rows' }).check()
    await app.getByRole('toolbar', { name: 'Selected examples' }).getByRole('button', { name: 'Accept' }).click()
    await expect(stateOf(app, 'Accepted')).toContainText(String(total))
    await stateOf(app, 'To review').click()
    await expect(app.getByRole('heading', { name: 'No example matches' })).toBeVisible()
    await app.getByRole('button', { name: 'Undo' }).click()
    await expect(examples(app)).toHaveCount(total)
  })

  test('all that match are decided, also those that are not loaded, and undone as one', async ({ app, server }) => {
    const { total } = await server.api<{ total: number }>('/api/factory/examples?limit=1')
    // the page of the list is cut short, as it would be with more examples than one holds
    const whole = '**/api/factory/examples?*'
    await app.route(whole, async (route) => {
      const asked = new URL(route.request().url())
      if (asked.searchParams.has('cursor')) return // further pages do not come
      asked.searchParams.set('limit', '1')
      await route.continue({ url: asked.href })
    })
    await open(app, server, '/factory/examples?state=proposed')
    await expect(examples(app)).toHaveCount(1)
    await app.getByRole('checkbox', { name: 'Select all rows' }).check()
    const bar = app.getByRole('toolbar', { name: 'Selected examples' })
    await bar.getByRole('button', { name: `Select all ${total} that match` }).click()
    await expect(bar).toContainText(`All ${total} examples that match`)
    await app.keyboard.press('a')
    await expect(stateOf(app, 'Accepted')).toContainText(String(total))
    await app.getByRole('button', { name: 'Undo' }).click()
    await expect(stateOf(app, 'To review')).toContainText(String(total))
  })

  test('a bar of the histogram narrows the list to its lengths', async ({ app }) => {
    const bar = app.getByRole('group', { name: 'Examples by length' }).getByRole('button', { disabled: false }).last()
    const count = Number(/: (\d+) example/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1])
    await bar.click()
    await expect(examples(app)).toHaveCount(count)
    await app.getByRole('button', { name: 'Clear' }).click()
    await app.getByRole('combobox', { name: 'Picture' }).click()
    await app.getByRole('option', { name: 'Repositories' }).click()
    await expect(app.getByText(/0 of \d+ examples decided/)).toBeVisible()
  })

  test('a message is edited beside its source, refused in words, and given back', async ({ app }) => {
    await examples(app).first().click()
    const messages = pane(app).getByRole('list', { name: 'Messages' })
    await expect(messages).toContainText('Please fix the failing test.')
    await pane(app).getByRole('button', { name: 'Edit message 3' }).click()
    const args = pane(app).getByLabel(/^Arguments of/)
    const before = await args.inputValue()
    await args.fill('{ "command": ls }')
    await expect(pane(app).getByRole('alert')).toContainText(/not JSON.*line 1/)
    await args.fill(before)
    await pane(app)
      .getByLabel(/^Text of message 3/)
      .fill('I look at it first.')
    await app.keyboard.press('ControlOrMeta+Enter')
    await expect(messages).toContainText('I look at it first.')
    const which = pane(app).getByRole('group', { name: 'Which messages' })
    await which.getByRole('button', { name: 'Original' }).click()
    await expect(messages).not.toContainText('I look at it first.')
    await which.getByRole('button', { name: 'Back to the source' }).click()
    await expect(which).toBeHidden()
    expect(await axe(app)).toEqual([])
  })

  test('the address holds filter and example through a reload; the source is a click away', async ({ app }) => {
    await stateOf(app, 'To review').click()
    await examples(app).first().click()
    await app.reload()
    await expect(pane(app)).toBeVisible()
    await expect(stateOf(app, 'To review')).toHaveAttribute('aria-pressed', 'true')
    await pane(app).getByRole('link', { name: 'Open in its session' }).click()
    await expect(app.getByRole('region', { name: 'Transcript' }).locator('[role=listitem][aria-current]')).toBeVisible()
  })
})

test('without a key, growing is off and says what to set up', async ({ app, server }) => {
  await open(app, server, '/factory/examples/grow')
  await expect(app.getByRole('heading', { name: 'Off: this provider is not set up' })).toBeVisible()
  await expect(app.getByText('ANTHROPIC_API_KEY').first()).toBeVisible()
  await expect(app.getByRole('button', { name: 'Estimate' })).toHaveCount(0)
  expect(await axe(app)).toEqual([])
})

test.describe('tasks of a session', () => {
  test.beforeEach(async ({ app, server }) => {
    await jobsDone(server)
    const trace = (await listed(server)).find(({ sessionId }) => sessionId === FIX_TEST)
    await open(app, server, `/traces?id=${trace?.id}`)
    await expect(app.getByRole('group', { name: 'Tasks of this session' })).toContainText('1 task')
  })
  const bar = (app: Page) => app.getByRole('group', { name: 'Tasks of this session' })
  const dividers = (app: Page) => app.getByRole('region', { name: 'Transcript' }).getByRole('group', { name: /^Task \d+ of/ })

  test('a task is begun, moved, joined, undone and reset, by keys', async ({ app }) => {
    const transcript = app.getByRole('region', { name: 'Transcript' })
    await transcript.getByRole('listitem').filter({ hasText: 'node calc.test.mjs' }).first().click()
    await app.keyboard.press('i')
    await expect(bar(app)).toContainText('2 tasks, 1 change by you')
    const second = app.getByRole('group', { name: 'Task 2 of 2' })
    await expect(second).toContainText('set by you')
    const steps = await second.textContent()
    await app.keyboard.press('.')
    await expect(second).not.toHaveText(steps ?? '')
    await app.keyboard.press(',')
    await expect(second).toHaveText(steps ?? '')
    await app.keyboard.press('i')
    await expect(bar(app)).toContainText('1 task')
    await expect(dividers(app)).toHaveCount(0)
    await app.keyboard.press('z')
    await expect(bar(app)).toContainText('2 tasks')
    await bar(app).getByRole('button', { name: 'Boundaries as the rules find them' }).click()
    await expect(bar(app)).toContainText('1 task')
    await bar(app).getByRole('button', { name: 'Undo the newest change of boundaries' }).click()
    await expect(bar(app)).toContainText('2 tasks')
    expect(await axe(app)).toEqual([])
  })

  test('a boundary is dragged on the timeline', async ({ app }) => {
    const transcript = app.getByRole('region', { name: 'Transcript' })
    await transcript.getByRole('listitem').filter({ hasText: 'node calc.test.mjs' }).first().click()
    await bar(app)
      .getByRole('button', { name: /Begin a task here/ })
      .click()
    const second = app.getByRole('group', { name: 'Task 2 of 2' })
    await expect(second).toBeVisible()
    const before = (await second.textContent()) ?? ''
    const handle = app.locator('[data-boundary="1"]')
    const box = (await handle.boundingBox())!
    const strip = (await app.getByRole('slider', { name: 'Place in the session' }).boundingBox())!
    await app.mouse.move(box.x + box.width / 2, box.y + 4)
    await app.mouse.down()
    await app.mouse.move(strip.x + strip.width * 0.95, box.y + 4, { steps: 5 })
    await app.mouse.up()
    await expect(second).not.toHaveText(before)
    await expect(bar(app)).toContainText('2 tasks')
  })
})
