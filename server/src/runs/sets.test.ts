import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { attemptsAt, countsOf, endedOf, shareOf } from './attempts.ts'
import { performAll } from './pool.ts'
import { createSets, type SetEnd, type SetState } from './sets.ts'

interface Row extends SetEnd {
  id: string
  key: string | undefined
  attempts: ('waiting' | 'passed' | 'owed')[]
}

/** Sets whose attempts are numbers. The rows outlive a server. */
function openSets(core: TestCore, rows: Map<string, Row>, attempt: (no: number, signal: AbortSignal) => Promise<'passed' | 'owed'>) {
  const published: string[] = []
  const require = (id: string) => rows.get(id)!
  const sets = createSets(core, {
    noun: 'set',
    store: {
      require,
      byKey: (key) => [...rows.values()].find((row) => row.key === key) ?? null,
      change: (id, end) => rows.set(id, { ...require(id), ...end }),
      running: () => [...rows.values()].filter(({ state }) => state === 'running'),
    },
    view: ({ id, state, detail, attempts }: Row) => ({ id, state, detail, attempts: [...attempts] }),
    ended: ({ attempts }) => endedOf(countsOf(attempts, ['passed', 'owed'])),
    onState: ({ state }) => published.push(state),
    onProgress: ({ attempts }) => published.push(attempts.join(' ')),
    live: () => ({ wake: () => undefined }),
    async perform({ id, attempts }, { signal }) {
      const missing = attempts.flatMap((state, no) => (state === 'waiting' ? [no] : []))
      await performAll({
        places: () => 1,
        next: () => missing.shift() ?? null,
        async perform(no, stop) {
          const state = await attempt(no, stop)
          const row = require(id)
          rows.set(id, { ...row, attempts: row.attempts.with(no, state) })
          sets.progressed(id)
        },
        signal,
      })
      return null
    },
  })
  const create = (id: string, key?: string, ready: Promise<void> = Promise.resolve()) =>
    sets.create(key, async () => {
      await ready
      const row: Row = { id, key, state: 'running', detail: null, endedAt: null, attempts: ['waiting', 'waiting', 'waiting'] }
      return { id, insert: () => rows.set(id, row) }
    })
  const until = async (id: string, state: SetState) => {
    for (let one = sets.get(id); one.state !== state;)
      one = await sets.wait(id, {
        waitMs: 10_000,
        ended: endedOf(countsOf(one.attempts, ['passed', 'owed'])),
        signal: new AbortController().signal,
      })
    return sets.get(id)
  }
  return { sets, published, create, until }
}
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

describe('a set of attempts', () => {
  let core: TestCore
  let rows: Map<string, Row>
  beforeEach(() => {
    core = openCore()
    rows = new Map()
  })
  afterEach(() => core.close())

  it('goes on at the next start without making an ended attempt twice, and repeats what is owed on request', async () => {
    const made: number[] = []
    const reached = Promise.withResolvers<void>()
    const first = openSets(core, rows, (no, signal) => {
      made.push(no)
      if (no < 2) return Promise.resolve(no === 0 ? 'owed' : 'passed')
      reached.resolve()
      return hang(signal)
    })
    first.sets.start({ watch: true })
    await first.create('s')
    await reached.promise
    await first.sets.close()
    expect(rows.get('s')).toMatchObject({ state: 'running', attempts: ['owed', 'passed', 'waiting'] })

    const second = openSets(core, rows, (no) => {
      made.push(no)
      return Promise.resolve('passed')
    })
    second.sets.start({ watch: false })
    expect(made).toEqual([0, 1, 2])
    second.sets.start({ watch: true })
    expect((await second.until('s', 'done')).attempts).toEqual(['owed', 'passed', 'passed'])
    const owed = () => rows.set('s', { ...rows.get('s')!, attempts: ['waiting', 'passed', 'passed'] })
    expect(second.sets.resume('s', owed).state).toBe('running')
    expect((await second.until('s', 'done')).attempts).toEqual(['passed', 'passed', 'passed'])
    expect(made).toEqual([0, 1, 2, 2, 0])
    expect(second.published).toEqual(['owed passed passed', 'done', 'running', 'passed passed passed', 'done'])
    await second.sets.close()
  })

  it('is cancelled when nothing of it is under way any more, and stops with the reason of an error', async () => {
    let ended = false
    const { sets, create, until } = openSets(core, rows, (no, signal) =>
      no === 0
        ? hang(signal).finally(() => void (ended = true))
        : Promise.reject(new AppError('invalid_request', { message: 'It is gone.', hint: 'Look.' })),
    )
    sets.start({ watch: true })
    await create('s')
    expect([(await sets.cancel('s')).state, ended]).toEqual(['cancelled', true])
    sets.resume('s', () => rows.set('s', { ...rows.get('s')!, attempts: ['passed', 'waiting', 'waiting'] }))
    expect((await until('s', 'stopped')).detail).toBe('It is gone. Look.')
    await sets.close()
  })

  it('is made once for calls with the same key that come at the same time, and again if the first one failed', async () => {
    const { sets, create } = openSets(core, rows, () => Promise.resolve('passed'))
    const ready = Promise.withResolvers<void>()
    const calls = ['a', 'b', 'c'].map((id) => create(id, 'key', id === 'a' ? ready.promise : undefined))
    ready.reject(new Error('no model'))
    const [failed, ...others] = await Promise.allSettled(calls)
    expect(failed).toMatchObject({ status: 'rejected' })
    expect(others.map((one) => one.status === 'fulfilled' && one.value.id)).toEqual(['b', 'b'])
    expect(await create('d', 'key')).toMatchObject({ id: 'b' })
    expect([...rows.keys()]).toEqual(['b'])
    await sets.close()
  })
})

describe('attempts', () => {
  it('are made at every item before one is repeated, and are counted by state', () => {
    const order = attemptsAt(['x', 'y'], 2).map(({ item, attempt }) => `${item}${attempt}`)
    expect(order).toEqual(['x1', 'y1', 'x2', 'y2'])
    const counts = countsOf(['passed', 'waiting', 'owed', 'running', 'passed'], ['passed', 'failed', 'owed'])
    expect([counts, endedOf(counts)]).toEqual([{ total: 5, waiting: 1, running: 1, passed: 2, failed: 0, owed: 1 }, 3])
  })

  it('share what a cap leaves, and get nothing when that is too little', () => {
    expect(shareOf({ capUsd: null, spent: [9], free: 2 })).toBeNull()
    expect(shareOf({ capUsd: 1, spent: [0.2, 0.3], free: 2 })).toBe(0.25)
    expect(shareOf({ capUsd: 0.5, spent: [0.2, 0.2999], free: 1 })).toBe(0)
  })
})
