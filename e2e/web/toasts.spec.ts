import type { Page } from '@playwright/test'
import { expect, open, rowsOf, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent'] })

const words = (app: Page) => app.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

/** Every control that lies, in part at least, under one of these words. */
const covered = (app: Page) =>
  app.evaluate(() => {
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')].map((toast) => toast.getBoundingClientRect())
    const controls = [...document.querySelectorAll<HTMLElement>('main, footer, nav, a, button, input, textarea, [role=row]')]
    return controls
      .filter((control) => {
        if (control.closest('[data-sonner-toaster]') || !control.checkVisibility()) return false
        const box = control.getBoundingClientRect()
        const seen = control.closest('main')?.getBoundingClientRect()
        const bottom = Math.min(box.bottom, seen?.bottom ?? Infinity)
        return toasts.some((toast) => box.left < toast.right && box.right > toast.left && box.top < toast.bottom && bottom > toast.top)
      })
      .map((control) => `${control.tagName} ${control.textContent.slice(0, 40)}`)
  })

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
]) {
  test.describe(`in a window of ${viewport.width} px`, () => {
    test.use({ viewport })

    test('words that stand for a while lie on nothing that may be wanted meanwhile', async ({ app, server }) => {
      await open(app, server, '/traces')
      await rowsOf(app).first().click()
      await expect(
        app
          .getByRole('region', { name: 'Facts' })
          .or(app.getByRole('button', { name: /^Facts/ }))
          .first(),
      ).toBeVisible()
      await app.keyboard.press('g')
      await expect(words(app)).toHaveCount(1)
      await app.keyboard.press('b')
      await expect(words(app)).toHaveCount(2)
      await expect(words(app).first()).toBeInViewport({ ratio: 1 })
      expect(await covered(app)).toEqual([])

      // a link within the page: the words stay
      await app.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Training' }).click()
      await app.getByRole('link', { name: 'New run' }).first().click()
      await expect(app.getByRole('button', { name: /^Start/ })).toBeVisible()
      expect(await covered(app)).toEqual([])
    })
  })
}
