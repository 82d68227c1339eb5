import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ServerMessage } from '#contracts/messages.ts'
import { infrastructure } from '#server/db/migrations/0001-infrastructure.ts'
import { createTx } from '#server/db/tx.ts'
import { createEvents } from './events.ts'

const DAY = 24 * 3600_000

function setUp(now: () => number = () => 1_800_000_000_000) {
  const db = new Sqlite(':memory:')
  db.exec(infrastructure.sql)
  const errors: unknown[] = []
  const events = createEvents(db, now, (error) => errors.push(error))
  const tx = createTx(db, events)
  const heard: (number | null)[] = []
  events.subscribe(({ seq }) => heard.push(seq))
  const add = (letter = 'a') => events.append('trace:removed', { id: letter.repeat(26) })
  return { db, events, tx, heard, add, errors }
}

test('subscribers get messages after the commit, in order, and none that were rolled back', () => {
  const { tx, heard, add, events } = setUp()
  tx(() => {
    add()
    add()
    expect(heard).toEqual([])
  })
  expect(heard).toEqual([1, 2])
  expect(() =>
    tx(() => {
      add()
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(heard).toEqual([1, 2])
  expect(events.lastSeq()).toBe(2)
})

test('a part that rolls back inside a transaction that continues takes its messages with it', () => {
  const { tx, heard, add, events } = setUp()
  tx(() => {
    add()
    expect(() =>
      tx(() => {
        add()
        throw new Error('inner')
      }),
    ).toThrow('inner')
    add()
  })
  expect(heard).toEqual([1, 2])
  expect(events.after(0, 10)).toHaveLength(2)
})

test('a part that committed inside a rolled-back transaction sends no messages', () => {
  const { tx, heard, add, events } = setUp()
  expect(() =>
    tx(() => {
      tx(() => add())
      expect(heard).toEqual([])
      throw new Error('outer')
    }),
  ).toThrow('outer')
  expect(heard).toEqual([])
  tx(() => add())
  expect(heard).toEqual([1])
  expect(events.after(0, 10)).toHaveLength(1)
})

test('a listener that commits in turn keeps the order for every listener', () => {
  const { events, tx, add } = setUp()
  const later: (number | null)[] = []
  let once = true
  events.subscribe(() => {
    if (once) {
      once = false
      tx(() => add())
    }
  })
  events.subscribe(({ seq }) => later.push(seq))
  tx(() => {
    add()
    add()
  })
  expect(later).toEqual([1, 2, 3])
})

test('a listener that throws affects neither the commit nor the others', () => {
  const { events, tx, add, errors } = setUp()
  const heard: ServerMessage[] = []
  events.subscribe(() => {
    throw new Error('listener')
  })
  events.subscribe((message) => heard.push(message))
  expect(tx(() => (add(), 'done'))).toBe('done')
  expect(heard).toHaveLength(1)
  expect(errors).toHaveLength(1)
})

test('after() pages, and says null above ours and below what is kept', () => {
  const { events, tx, add, db } = setUp()
  for (let n = 0; n < 5; n += 1) tx(() => add())
  expect(events.after(1, 2)?.map(({ seq }) => seq)).toEqual([2, 3])
  expect(events.after(5, 2)).toEqual([])
  expect(events.after(6, 2)).toBeNull()
  db.exec('DELETE FROM events WHERE seq <= 3')
  expect(events.after(2, 2)).toBeNull()
  expect(events.after(3, 9)?.map(({ seq }) => seq)).toEqual([4, 5])
  db.exec('DELETE FROM events')
  expect(events.after(4, 9)).toBeNull()
  expect(events.lastSeq()).toBe(5)
})

test('prunes by age, also when the clock was set back since', () => {
  let now = 100 * DAY
  const { events, tx, add } = setUp(() => now)
  tx(() => add())
  now -= 50 * DAY
  tx(() => add())
  events.prune(now + DAY)
  expect(events.after(0, 9)?.map(({ seq }) => seq)).toEqual([1, 2])
  events.prune(now + 8 * DAY)
  expect(events.after(0, 9)).toBeNull() // no hole: the younger-looking one before it went as well
})

test('the epoch outlives a restart and is renewed on demand, with notice', () => {
  const { db, events } = setUp()
  expect(createEvents(db).epoch).toBe(events.epoch)
  const before = events.epoch
  let notified = 0
  events.onNewEpoch(() => (notified += 1))
  events.renewEpoch()
  expect(events.epoch).not.toBe(before)
  expect(notified).toBe(1)
  expect(createEvents(db).epoch).toBe(events.epoch)
})

test('an epoch that is renewed in a transaction holds from its commit on, and not after a rollback', () => {
  const { events, tx } = setUp()
  const before = events.epoch
  let notified = 0
  events.onNewEpoch(() => (notified += 1))
  expect(() =>
    tx(() => {
      events.renewEpoch()
      throw new Error('no')
    }),
  ).toThrow('no')
  tx(() => null)
  expect([events.epoch, notified]).toEqual([before, 0])
  tx(() => {
    events.renewEpoch()
    expect(notified).toBe(0)
  })
  expect(notified).toBe(1)
  expect(events.epoch).not.toBe(before)
})
