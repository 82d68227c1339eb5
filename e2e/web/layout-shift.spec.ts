import { expect, listed, open, test } from './fixtures.ts'

test.use({ samples: ['fix-test', 'subagent', 'older/2.1.197/fix-test'], looks: true })

/** Sum of the layout shifts since the page was opened, without those that follow an action of the user. */
const shiftOf = () =>
  new Promise<number>((resolve) => {
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) sum += value
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))))
  })

for (const width of [1280, 1024]) {
  test.describe(`in a window of ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('nothing on the main pages moves while they load', async ({ app, server }) => {
      const [session] = await listed(server)
      const shifts: Record<string, number> = {}
      for (const place of [
        '/',
        '/traces',
        `/traces?id=${session!.id}`,
        '/factory/examples',
        '/factory/pairs',
        '/factory/datasets',
        '/training',
        '/models',
        '/arena/tasks',
        '/arena',
        '/privacy',
        '/settings/capture',
      ]) {
        await open(app, server, place)
        await expect(app.getByText('Connected', { exact: true })).toBeVisible()
        await expect(app.locator('.skeleton')).toHaveCount(0)
        shifts[place] = Math.round((await app.evaluate(shiftOf)) * 1000) / 1000
      }
      expect(Object.entries(shifts).filter(([, shift]) => shift > 0.05)).toEqual([])
    })
  })
}
