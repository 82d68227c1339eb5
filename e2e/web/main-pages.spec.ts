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

/** Targets smaller than 24 px, except links in a line of text and boxes whose label is larger. */
const smallTargets = () =>
  [...document.querySelectorAll<HTMLElement>('button, a[href], input, summary, [role=tab], [role=checkbox], [role=switch]')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.sr-only'))
    .map((element) => ({ element, target: element.closest('label') ?? element }))
    .filter(({ element, target }) => {
      const { width, height } = target.getBoundingClientRect()
      return width > 1 && (width < 24 || height < 24) && getComputedStyle(element).display !== 'inline'
    })
    .map(({ element }) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`)

for (const width of [1280, 1024]) {
  test.describe(`in a window of ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })

    test('on the main pages nothing moves while they load, and every target is at least 24 px', async ({ app, server }) => {
      const [session] = await listed(server)
      const small: string[] = []
      const shifts: Record<string, number> = {}
      for (const place of [
        '/',
        '/traces',
        '/evaluator',
        '/router',
        '/guardrails',
        '/guardrails/installed',
        '/evaluator/thermometer',
        '/evaluator/benchmarks',
        `/traces?id=${session!.id}`,
        '/factory/examples',
        '/factory/pairs',
        '/factory/datasets',
        '/privacy',
        '/profiler',
        '/profiler/across',
        '/profiler/recorded',
        '/settings/telemetry',
        `/profiler/${session!.id}`,
        '/training',
        '/models',
        '/agents',
        '/sandboxes',
        '/shell-tasks',
        '/settings/capture',
        '/settings/storage',
      ]) {
        await open(app, server, place)
        await expect(app.getByText('Connected', { exact: true })).toBeVisible()
        await expect(app.locator('.skeleton')).toHaveCount(0)
        shifts[place] = Math.round((await app.evaluate(shiftOf)) * 1000) / 1000
        small.push(...(await app.evaluate(smallTargets)).map((target) => `${place}: ${target}`))
      }
      expect(small).toEqual([])
      expect(Object.entries(shifts).filter(([, shift]) => shift > 0.05)).toEqual([])
    })
  })
}
