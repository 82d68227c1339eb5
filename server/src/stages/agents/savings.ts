import type { Performing } from './service.ts'

const EVERY_MS = 30_000

/** For machines whose files end with them: saves the files after steps of the agent, not too often. A saving that fails is tried again. */
export function createSavings(save: () => Promise<unknown>) {
  let last = -Infinity
  let current: Promise<unknown> | null = null
  const saveUnlessRecent = () => {
    if (current !== null || performance.now() - last < EVERY_MS) return
    current = save()
      .then(
        () => (last = performance.now()),
        () => undefined,
      )
      .finally(() => (current = null))
  }
  return {
    after: (work: Performing): Performing => ({
      ...work,
      step(step) {
        work.step(step)
        if (step.kind === 'result') saveUnlessRecent()
      },
    }),
    done: async (): Promise<void> => void (await current),
  }
}
