import fs from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { expect, open, rowsOf, test } from './fixtures.ts'
import { tabTo } from './keys.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'] })

test('filter, open, promote, tag, undo and close without a pointer', async ({ app, server }) => {
  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(3)
  await app.keyboard.press('/')
  await expect(app.getByRole('combobox', { name: 'Filter', exact: true })).toBeFocused()
  await app.keyboard.type('tool:Gr')
  await expect(app.getByRole('option', { name: /Grep/ })).toBeVisible()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  await expect(app.getByRole('combobox', { name: 'Filter', exact: true })).toHaveValue(/^tool:Grep\s*$/)
  await app.keyboard.press('Escape')
  await app.keyboard.press('Escape')
  await expect(rowsOf(app)).toHaveCount(2)

  await app.keyboard.press('j')
  await app.keyboard.press('j')
  await app.keyboard.press('Enter')
  await expect(rowsOf(app).nth(1)).toHaveAttribute('aria-current', 'true')
  await app.keyboard.press('g')
  await expect(rowsOf(app).nth(1).getByLabel('Gold, set by you')).toBeVisible()
  await app.keyboard.press('t')
  await expect(app.getByLabel('New tag')).toBeFocused()
  await app.keyboard.type('by-hand')
  await app.keyboard.press('Enter')
  await app.keyboard.press('Escape')
  await expect(app.getByRole('button', { name: 'Remove tag by-hand' })).toBeVisible()
  await app.keyboard.press('d')
  await expect(app.getByRole('region', { name: 'Changes to calc.mjs' })).toBeVisible()
  await app.keyboard.press('d')
  await app.keyboard.press(']')
  await expect(app.getByRole('region', { name: 'Transcript' }).locator('[role=listitem][aria-current]')).toContainText('exit 1')

  await app.keyboard.press('z')
  await expect(app.getByRole('button', { name: 'Remove tag by-hand' })).toBeHidden()
  await app.keyboard.press('z')
  await expect(rowsOf(app).nth(1).getByLabel('Silver')).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app).not.toHaveURL(/id=/)
  await expect(app.getByRole('grid', { name: 'Sessions' })).toBeFocused()
})

test('rows are selected and given a tier by keys', async ({ app, server }) => {
  await open(app, server, '/traces')
  await expect(rowsOf(app)).toHaveCount(3)
  await app.keyboard.press('j')
  await app.keyboard.press('x')
  await app.keyboard.press('Shift+J')
  await expect(app.getByRole('toolbar', { name: 'Selected sessions' })).toContainText('2 selected')
  const failed = rowsOf(app).getByText('Failed', { exact: true })
  await app.keyboard.press('f')
  await expect(failed).toHaveCount(2)
  await app.keyboard.press('z')
  await expect(failed).toHaveCount(0)
  await app.keyboard.press('Escape')
  await expect(app.getByRole('toolbar', { name: 'Selected sessions' })).toBeHidden()
})

test('the palette leads to a session and to the hooks, which Tab and Enter install', async ({ app, server, workspace }) => {
  await open(app, server, '/')
  await app.keyboard.press('ControlOrMeta+k')
  await app.keyboard.type('is defined')
  await expect(app.getByRole('option', { name: /where add\(\) is defined/ })).toBeVisible()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('heading', { level: 2, name: /where add\(\) is defined/ })).toBeVisible()

  // words with a colon are looked for; a refused query would make the console speak
  await app.keyboard.press('ControlOrMeta+k')
  await app.keyboard.type('add() is defined tier:none: -x')
  await expect(app.getByRole('dialog').getByRole('status')).toHaveText('No matches.')
  await app.keyboard.press('Escape')
  await app.keyboard.press('ControlOrMeta+k')
  await app.keyboard.type('install')
  await expect(app.getByRole('option', { name: 'Install or remove hooks' })).toHaveAttribute('aria-selected', 'true')
  await app.keyboard.press('Enter')
  const install = app.getByRole('button', { name: 'Install hooks' })
  await expect(install).toBeVisible()
  await tabTo(app, install)
  await app.keyboard.press('Enter')
  await expect(app.getByRole('table', { name: 'Hook events' })).toBeVisible()
  expect(fs.existsSync(path.join(workspace.claudeDir, 'settings.json'))).toBe(true)
})

/** What has the focus now: a name, whether it shows, and whether it is in view and not covered. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement) || element === document.body) return null
    // a list with a current row draws the ring round that row
    const style = getComputedStyle(element.querySelector('.current-row, .current-item') ?? element)
    const box = element.getBoundingClientRect()
    const x = Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1)
    const y = Math.min(Math.max(box.y + box.height / 2, 0), innerHeight - 1)
    const top = document.elementFromPoint(x, y)
    return {
      name: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''}`,
      outlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1,
      inView: box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
      // a splitter is a hairline: the point in its middle may round to its neighbour
      uncovered: element.role === 'separator' || (top !== null && (element.contains(top) || top.contains(element))),
    }
  })

test.describe('looked at', () => {
  test.use({ looks: true })

  test('? shows the keys of the screen, Esc closes it', async ({ app, server }) => {
    await open(app, server, '/traces')
    await expect(rowsOf(app)).toHaveCount(3)
    await app.keyboard.press('?')
    const keys = app.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(keys.getByRole('region', { name: 'Traces' })).toContainText('Gold')
    await expect(keys.getByRole('region', { name: 'Lists' })).toContainText('Extend selection down')
    await app.keyboard.press('Escape')
    await expect(keys).toBeHidden()
  })

  for (const [screen, place] of [
    ['Home', '/'],
    ['Traces', '/traces'],
    ['an open session', '/traces?id='],
    ['Settings', '/settings/capture'],
  ] as const) {
    test(`the focus can be seen at every stop of Tab through ${screen}`, async ({ app, server }) => {
      const { items } = await server.api<{ items: { id: string }[] }>('/api/traces')
      await open(app, server, place.endsWith('=') ? `${place}${items[0]?.id}` : place)
      await expect(app.getByText('Connected', { exact: true })).toBeVisible()
      await expect(app.locator('.skeleton')).toHaveCount(0)
      const stops = new Set<string>()
      const hidden: unknown[] = []
      for (let press = 0; press < 150; press += 1) {
        await app.keyboard.press('Tab')
        const stop = await focused(app)
        if (stop === null) break // past the last stop, into the browser's own
        stops.add(stop.name)
        if (!stop.outlined || !stop.inView || !stop.uncovered) hidden.push(stop)
      }
      expect(hidden).toEqual([])
      expect(stops.size).toBeGreaterThan(12)
    })
  }
})
