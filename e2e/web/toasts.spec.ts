import type { Page } from '@playwright/test'
import { expect, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'] })

const words = (app: Page) => app.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** The position of everything on the page except the message. */
const places = (app: Page) =>
  app.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main, footer, nav, [role=grid], [role=row]')].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return [one.tagName, x, y, width, height]
    }),
  )

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
]) {
  test.describe(`in a window of ${viewport.width} px`, () => {
    test.use({ viewport })

    test('a message has its own place in the status bar, covers and moves nothing, and offers one Undo', async ({ app, server }) => {
      await open(app, server, '/traces')
      await expect(rowsOf(app)).toHaveCount(2)
      await expect(app.locator('[data-loading=days]'), 'sessions of one day have no chart of days').toHaveCount(0)
      await app.getByRole('grid', { name: 'Sessions' }).focus()
      const before = await places(app)
      await app.keyboard.press('j')
      await app.keyboard.press('g')
      await expect(words(app)).toHaveCount(1)
      await app.keyboard.press('j')
      await app.keyboard.press('g')
      await expect(words(app)).toHaveText([/Set to gold · 2 times/])
      expect(await places(app)).toEqual(before)
      await expect(words(app)).toBeInViewport({ ratio: 1 })
      // inside the status bar, beside its parts
      const status = await app.getByRole('contentinfo').boundingBox()
      const message = await words(app).boundingBox()
      expect(message!.y).toBeGreaterThanOrEqual(status!.y)
      const covered = await app
        .getByRole('contentinfo')
        .getByRole('link')
        .evaluateAll((links, { x, width }) => {
          const boxes = links.map((link) => link.getBoundingClientRect())
          return boxes.filter(({ left, right }) => left < x + width && right > x).length
        }, message!)
      expect(covered).toBe(0)
      await words(app).getByRole('button', { name: 'Undo all' }).click()
      await expect(words(app)).toHaveText([/Undone: Set to gold · 2 times/])
      // a newer message takes the place of the older one
      await app.keyboard.press('s')
      await expect(words(app)).toHaveText([/Set to silver/])
      await expect(words(app).getByRole('button', { name: 'Undo' })).toHaveCount(1)
    })
  })
}
