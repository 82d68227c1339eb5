import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots, type Permit } from './slots.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('random callers that wait, disconnect, time out and release twice: the limit holds, the order is kept, no permit is lost', async () => {
  const Step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('take' as const) },
    { weight: 3, arbitrary: fc.constant('release' as const) },
    { weight: 1, arbitrary: fc.constant('releaseTwice' as const) },
    { weight: 2, arbitrary: fc.constant('hangUp' as const) },
    { weight: 1, arbitrary: fc.constant('refuse' as const) },
    { weight: 1, arbitrary: fc.constant('raise' as const) },
    { weight: 1, arbitrary: fc.constant('lower' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 60 }), fc.nat(), async (steps, seed) => {
      let limit = 2
      const slots = createSlots({ limits: () => ({ running: limit, queue: 5 }) })
      const permits: Permit[] = []
      const line: { id: number; gone: AbortController }[] = []
      const admitted: number[] = []
      let next = 0
      let most = limit
      const pick = <T>(from: T[]): T | undefined => (from.length === 0 ? undefined : from.splice((seed + next) % from.length, 1)[0])
      for (const step of steps) {
        const id = next++
        if (step === 'take' || step === 'refuse') {
          const gone = new AbortController()
          const before = slots.state()
          const mustWait = before.running >= limit || before.queued.length > 0
          if (mustWait) line.push({ id, gone })
          const take = async () => {
            try {
              permits.push(await slots.take(String(id), { wait: step === 'take', signal: gone.signal }))
              admitted.push(id)
            } catch {
              const index = line.findIndex((one) => one.id === id)
              if (index >= 0) line.splice(index, 1)
            }
          }
          const taken = take()
          if (!mustWait || step === 'refuse') await taken
        }
        if (step === 'release') pick(permits)?.release()
        if (step === 'releaseTwice') {
          const permit = pick(permits)
          permit?.release()
          permit?.release()
        }
        if (step === 'hangUp') pick(line)?.gone.abort()
        if (step === 'raise') limit++
        if (step === 'lower') limit = Math.max(1, limit - 1)
        if (step === 'raise' || step === 'lower') slots.limitsChanged()
        await settled()
        for (const one of admitted) {
          const index = line.findIndex(({ id: waiting }) => waiting === one)
          if (index >= 0) line.splice(index, 1)
        }
        most = Math.max(most, limit)
        const { running, queued } = slots.state()
        expect(running).toBe(permits.length)
        expect(running).toBeLessThanOrEqual(most)
        expect(queued.map(({ id: waiting }) => Number(waiting))).toEqual(line.map(({ id: waiting }) => waiting))
        expect(queued.length === 0 || running >= limit).toBe(true)
      }
      expect(admitted).toEqual(admitted.toSorted((a, b) => a - b)) // whoever came first was admitted first
      for (const one of permits.splice(0)) one.release()
      await settled()
      for (const one of permits) one.release()
    }),
    { numRuns: 200 },
  )
})

test('a timeout of the queue and a full queue are errors that say how many run and wait', async () => {
  const slots = createSlots({ limits: () => ({ running: 1, queue: 1 }) })
  const first = await slots.take('a', { wait: true })
  const second = slots.take('b', { wait: true })
  await expect(slots.take('c', { wait: true })).rejects.toMatchObject({
    details: { reason: 'queue_full', running: 1, limit: 1, queued: 1 },
  })
  expect(slots.position('b')).toBe(1)
  first.release()
  const permit = await second
  await expect(slots.take('d', { wait: true, timeoutSec: 0.01 })).rejects.toMatchObject({ details: { reason: 'wait_timeout' } })
  permit.release()
  expect(slots.state()).toMatchObject({ running: 0, queued: [] })
})
