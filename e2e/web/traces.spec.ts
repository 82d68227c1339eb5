import type { Page } from '@playwright/test'
import { CONFLICT_ERRORS, expect, listed, open, reload, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/1.0.128/fix-test', 'older/2.1.197/fix-test', 'older/2.1.50/subagent-task'] })

/** The sample whose commit is a7b3321: one failing test run, one rejected edit, ten calls. */
const FIX_TEST = '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe'

const filterBar = (app: Page) => app.getByRole('combobox', { name: 'Filter', exact: true })
const tierOf = (app: Page) => app.getByRole('group', { name: 'Tier of this session' })

test.describe('in the list', () => {
  test.beforeEach(async ({ app, server }) => {
    await open(app, server, '/traces')
    await expect(rowsOf(app)).toHaveCount(5)
  })

  test.describe('looked at', () => {
    test.use({ looks: true })

    test('a click on a header sorts, the second turns it round', async ({ app }) => {
      const calls = app.getByRole('columnheader', { name: 'Calls' })
      await calls.getByRole('button').click()
      await expect(calls).toHaveAttribute('aria-sort', 'descending')
      await expect(rowsOf(app).first()).toContainText('fix the failing test')
      await calls.getByRole('button').click()
      await expect(calls).toHaveAttribute('aria-sort', 'ascending')
      await expect(rowsOf(app).first()).toContainText('where add() is defined')
    })

    test('facets and the filter language are one filter; chips take terms out again', async ({ app }) => {
      await app.getByRole('button', { name: 'Show the facets' }).click()
      const facets = app.getByRole('region', { name: 'Facets' })
      await facets.getByRole('group', { name: 'Tool' }).getByRole('checkbox', { name: /^Grep/ }).check()
      await expect(filterBar(app)).toHaveValue('tool:Grep')
      await expect(rowsOf(app)).toHaveCount(3)

      await filterBar(app).fill('tokens:<15k')
      await expect(rowsOf(app)).toHaveCount(2)
      await expect(app.getByRole('status').filter({ hasText: '2 sessions match' })).toBeVisible()
      await app.getByRole('list', { name: 'Filter terms' }).getByRole('button', { name: 'Remove tokens' }).click()
      await expect(rowsOf(app)).toHaveCount(5)
    })

    test('a term that cannot be read is marked, says why, and leaves the rest in force', async ({ app }) => {
      await filterBar(app).fill('tool:Grep tier:platinum')
      await filterBar(app).press('Enter')
      await filterBar(app).blur()
      await expect(filterBar(app)).toHaveAttribute('aria-invalid', 'true')
      await expect(app.getByText(/Unknown tier value "platinum"\. Values: gold/)).toBeVisible()
      await expect(rowsOf(app)).toHaveCount(3)
    })

    test('words find what a command printed, and the session opens at the hit', async ({ app }) => {
      await filterBar(app).fill('a7b3321')
      await expect(rowsOf(app)).toHaveCount(1)
      await rowsOf(app).first().click()
      await expect(app.getByRole('region', { name: 'Transcript' }).getByText('[main a7b3321] Fix add()')).toBeVisible()
      await expect(app.getByLabel('Search this session')).toHaveValue('a7b3321')
      await expect(app.getByRole('main').getByText('1 found')).toBeVisible()
    })

    test('a filter that fits nothing says so and is cleared by one press', async ({ app }) => {
      await filterBar(app).fill('tier:gold')
      await expect(app.getByRole('heading', { name: 'No matching sessions' })).toBeVisible()
      await app.getByRole('button', { name: 'Clear filter' }).last().click()
      await expect(rowsOf(app)).toHaveCount(5)
    })

    test('a session opens beside the list; the address holds it through a reload; Esc closes it', async ({ app, server }) => {
      const trace = (await listed(server)).find(({ sessionId }) => sessionId === FIX_TEST)
      await filterBar(app).fill('tool:Grep')
      await expect(rowsOf(app)).toHaveCount(3)
      await app.locator(`#row-${trace?.id}`).click()
      await expect(app.getByRole('heading', { level: 2, name: trace?.title })).toBeVisible()
      await expect(rowsOf(app)).toHaveCount(3)

      await reload(app)
      await expect(app.getByRole('heading', { level: 2, name: trace?.title })).toBeVisible()
      await expect(filterBar(app)).toHaveValue('tool:Grep')
      await expect(app.locator(`#row-${trace?.id}`)).toHaveAttribute('aria-current', 'true')

      await app.keyboard.press('Escape')
      await expect(app.getByRole('heading', { level: 2, name: trace?.title })).toBeHidden()
      await expect(rowsOf(app)).toHaveCount(3)
    })
  })

  test('a view is saved, opened again, and deleted with undo', async ({ app }) => {
    await app.getByRole('button', { name: 'Show the facets' }).click()
    await filterBar(app).fill('tool:Agent,Task')
    await expect(rowsOf(app)).toHaveCount(2)
    await app.getByRole('button', { name: 'Save view' }).click()
    await app.getByLabel('View name').fill('With sub-agents')
    await app.getByRole('button', { name: 'Save', exact: true }).click()
    const view = app.getByRole('button', { name: 'With sub-agents', exact: true })
    await expect(view).toBeVisible()

    await filterBar(app).fill('')
    await expect(rowsOf(app)).toHaveCount(5)
    await filterBar(app).press('Escape')
    await view.click()
    await expect(filterBar(app)).toHaveValue('tool:Agent,Task')
    await expect(rowsOf(app)).toHaveCount(2)

    await app.getByRole('button', { name: 'Delete view With sub-agents' }).click()
    await expect(view).toBeHidden()
    await app.getByRole('button', { name: 'Undo' }).click()
    await expect(view).toBeVisible()
  })

  test('a selection gets a tier at once and gives it back with one undo', async ({ app }) => {
    const rows = rowsOf(app)
    await rows.nth(1).click({ modifiers: ['ControlOrMeta'] })
    await rows.nth(3).click({ modifiers: ['Shift'] })
    const bar = app.getByRole('toolbar', { name: 'Selected sessions' })
    await expect(bar).toContainText('3 selected')
    await bar.getByRole('group', { name: 'Set 3 sessions to' }).getByRole('button', { name: 'Gold' }).click()
    await expect(rows.filter({ hasText: 'Gold' })).toHaveCount(3)
    await app.getByRole('button', { name: 'Undo' }).click()
    await expect(rows.filter({ hasText: 'Gold' })).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Silver' })).toHaveCount(5)
  })

  test('all that match are selected and tagged', async ({ app }) => {
    await filterBar(app).fill('tool:Grep')
    const rows = rowsOf(app)
    await expect(rows).toHaveCount(3)
    await rows.first().getByRole('checkbox').check()
    const bar = app.getByRole('toolbar', { name: 'Selected sessions' })
    await bar.getByRole('button', { name: 'Select all 3 that match' }).click()
    await expect(bar).toContainText('All 3 matching sessions')
    await bar.getByRole('button', { name: 'Tag', exact: true }).click()
    await app.getByRole('textbox', { name: 'Tag', exact: true }).fill('calc')
    await app.getByRole('button', { name: 'Add', exact: true }).click()
    await filterBar(app).fill('tag:calc')
    await expect(rows).toHaveCount(3)
  })
})

test.describe('in an open session', () => {
  test.beforeEach(async ({ app, server }) => {
    const trace = (await listed(server)).find(({ sessionId }) => sessionId === FIX_TEST)
    await open(app, server, `/traces?id=${trace?.id}`)
    await expect(app.getByRole('region', { name: 'Transcript' })).toBeVisible()
  })

  test.describe('looked at', () => {
    test.use({ looks: true })

    test('commands are listed with exit state and output, and one press moves to the next error', async ({ app }) => {
      const transcript = app.getByRole('region', { name: 'Transcript' })
      const run = transcript.getByRole('listitem').filter({ hasText: 'node calc.test.mjs' }).first()
      await expect(run).toContainText('exit 1')
      await expect(run).toContainText('FAIL add(2, 3) = -1, want 5')
      await app.getByRole('button', { name: 'Next error' }).click()
      await expect(transcript.locator('[role=listitem][aria-current]')).toContainText('exit 1')
      await app.getByRole('button', { name: 'Next error' }).click()
      await expect(transcript.locator('[role=listitem][aria-current]')).toContainText('String to replace not found')
    })

    test('the diff tab shows what the session changed', async ({ app }) => {
      await app.getByRole('navigation', { name: 'Session views' }).getByRole('button', { name: /^Diff/ }).click()
      const change = app.getByRole('region', { name: 'Changes to calc.mjs' })
      await expect(change).toContainText('return a - b')
      await expect(change).toContainText('return a + b')
      await expect(app.getByRole('region', { name: 'Changes to CHANGES.md' })).toContainText('add() now adds.')
    })

    test('the raw tab shows what each line says, and pressed, the bytes of the transcript', async ({ app }) => {
      await app.getByRole('navigation', { name: 'Session views' }).getByRole('button', { name: /^Raw/ }).click()
      const prompt = app
        .getByRole('list', { name: 'Raw lines' })
        .getByRole('button', { name: /user\s*Please fix the failing test/ })
        .first()
      await prompt.click()
      await expect(app.getByText('"sessionId":"490ff9e4').first()).toBeVisible()
      await prompt.click()
      await expect(app.getByText('"sessionId":"490ff9e4')).toHaveCount(0)
    })

    test('the evidence of a metric leads to its step', async ({ app }) => {
      const facts = app.getByRole('region', { name: 'Facts' })
      await facts.getByRole('button', { name: /^Success/ }).click()
      const evidence = facts
        .getByRole('listitem')
        .filter({ has: app.getByRole('button', { name: /^Success/ }) })
        .getByRole('listitem')
      await evidence.first().getByRole('button').click()
      await expect(app).toHaveURL(/item=/)
      await expect(app.getByRole('region', { name: 'Transcript' }).locator('[role=listitem][aria-current]')).toBeVisible()
    })
  })

  test('promote by button with a reason, by key, undo, and the history of it', async ({ app }) => {
    await app.getByLabel('Reason for the next tier change').fill('Found and fixed in one go')
    await tierOf(app).getByRole('button', { name: /^Gold/ }).click()
    await expect(tierOf(app).getByRole('button', { name: /^Gold/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(app.getByRole('region', { name: 'Facts' })).toContainText('Set by you. By policy: silver')
    await expect(rowsOf(app).getByLabel('Gold, set by you')).toHaveCount(1)

    await app.getByRole('region', { name: 'Transcript' }).focus()
    await app.keyboard.press('b')
    await expect(tierOf(app).getByRole('button', { name: /^Bronze/ })).toHaveAttribute('aria-pressed', 'true')
    await app.keyboard.press('z')
    await expect(tierOf(app).getByRole('button', { name: /^Gold/ })).toHaveAttribute('aria-pressed', 'true')

    await app.getByRole('button', { name: 'Tier history' }).click()
    const history = app.getByRole('dialog', { name: 'Tier history' })
    await expect(history.getByRole('listitem')).toHaveCount(2)
    await expect(history).toContainText('Found and fixed in one go')
    await expect(history).toContainText('undone')
    await history.getByRole('button', { name: 'Undo latest' }).click()
    await app.keyboard.press('Escape')
    await expect(tierOf(app).getByRole('button', { name: /^Silver/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(rowsOf(app).getByLabel('Gold, set by you')).toHaveCount(0)
  })

  test.describe('and elsewhere', () => {
    test.use({ expectedErrors: CONFLICT_ERRORS })

    test('an undo never takes back what was decided elsewhere since', async ({ app, server }) => {
      const { id } = (await listed(server)).find(({ sessionId }) => sessionId === FIX_TEST)!
      await app.getByRole('region', { name: 'Transcript' }).focus()
      await app.keyboard.press('b')
      await expect(tierOf(app).getByRole('button', { name: /^Bronze/ })).toHaveAttribute('aria-pressed', 'true')
      await server.api(`/api/traces/${id}/promote`, { method: 'POST', body: { tier: 'gold' } })
      const gold = tierOf(app).getByRole('button', { name: /^Gold/ })
      await expect(gold).toHaveAttribute('aria-pressed', 'true')
      await app.keyboard.press('z')
      await expect(app.getByText(/Another window or command has since set this trace to gold/)).toBeVisible()
      await app.keyboard.press('z')
      await expect(app.getByText('Nothing to undo in this window')).toBeVisible()
      await expect(gold).toHaveAttribute('aria-pressed', 'true')
      expect((await listed(server)).find((trace) => trace.id === id)?.tier).toBe('gold')
    })
  })

  test('tags and a note are kept', async ({ app }) => {
    await app.getByRole('button', { name: 'Add tag' }).click()
    await app.getByLabel('New tag').fill('showcase')
    await app.getByLabel('New tag').press('Enter')
    await expect(app.getByRole('button', { name: 'Remove tag showcase' })).toBeVisible()
    await app.getByLabel('New tag').press('Escape')
    await app.getByRole('button', { name: 'Add note' }).click()
    await app.getByRole('textbox', { name: 'Note', exact: true }).fill('Good first example.')
    await app.getByRole('button', { name: 'Save' }).click()
    await reload(app)
    await expect(app.getByText('Good first example.')).toBeVisible()
    await expect(app.getByRole('button', { name: 'Remove tag showcase' })).toBeVisible()
    await filterBar(app).fill('tag:showcase')
    await expect(rowsOf(app)).toHaveCount(1)
  })
})

test.describe('at 200 % zoom of a small screen', () => {
  test.use({ viewport: { width: 640, height: 400 }, looks: true })

  test('no control of an open session and no part of the status bar is cut off', async ({ app, server }) => {
    const [first] = await listed(server)
    await app.goto(`${server.url}/traces/${first!.id}`)
    await expect(app.getByRole('toolbar', { name: 'Transcript' })).toBeVisible()
    for (const place of [app.getByRole('toolbar', { name: 'Transcript' }), app.getByRole('contentinfo', { name: 'Status' })]) {
      const controls = await place.getByRole('link').or(place.getByRole('button')).all()
      expect(controls.length).toBeGreaterThan(3)
      for (const control of controls) {
        const box = (await control.boundingBox())!
        expect([await control.textContent(), box.x >= 0, box.x + box.width <= 640]).toEqual([expect.anything(), true, true])
      }
    }
  })
})
