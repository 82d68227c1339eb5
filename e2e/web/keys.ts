import type { Locator, Page } from '@playwright/test'

/** Presses Tab until `wanted` has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let press = 0; press < 100; press += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not lead to ${wanted.toString()}`)
}
