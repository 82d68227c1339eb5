import type { Page } from '@playwright/test'
import { expect, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'] })

const words = (app: Page) => app.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** The position of everything on the page except toasts. */
const places = (app: Page) =>
  app.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main, footer, nav, [role=grid], [role=row]')]
      .filter((one) => !one.closest('[data-sonner-toaster]'))
      .map((one) => {
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

    test('toasts appear above the status bar, move nothing else, and merge when their texts are equal', async ({ app, server }) => {
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
      await expect(words(app).first()).toBeInViewport({ ratio: 1 })
      const bottomOf = async () =>
        words(app)
          .first()
          .evaluate((one) => one.getBoundingClientRect().bottom)
      const status = await app.getByRole('contentinfo').boundingBox()
      await expect.poll(bottomOf, 'once it has come in').toBeLessThanOrEqual(status!.y)
      await words(app).getByRole('button', { name: 'Undo all' }).click()
      await expect(words(app)).toHaveText([/Undone: Set to gold · 2 times/])
    })
  })
}
