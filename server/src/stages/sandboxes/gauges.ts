import type { SandboxUsage } from '#contracts/entities/sandbox.ts'

const EVERY_MS = 2000

/** Measures what sandboxes use while some run, one measurement after the other. */
export function createGauges(measure: () => Promise<SandboxUsage[]>, publish: (items: SandboxUsage[]) => void) {
  let timer: NodeJS.Timeout | null = null
  const next = () => {
    timer = setTimeout(() => void measureOnce(), EVERY_MS)
    timer.unref()
  }
  const measureOnce = async () => {
    const items = await measure().catch(() => null) // a sandbox has just ended; the next measurement will not include it
    if (timer === null) return
    if (items) publish(items)
    next()
  }
  return {
    start(): void {
      if (timer === null) next()
    },
    stop(): void {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
