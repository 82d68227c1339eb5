import { expect, test } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import { openCore } from '#server/testing/core.ts'
import { combine, type Stage } from './stage.ts'

/** A stage that keeps what sessions say. */
function notebook(core: ReturnType<typeof openCore>, name: string, calls: string[], more: Partial<Stage> = {}): Stage {
  core.db.exec(`CREATE TABLE IF NOT EXISTS toy_notes (stage TEXT, trace_id TEXT, words TEXT) STRICT`)
  core.db.prepare('INSERT INTO toy_notes VALUES (?, ?, ?)').run(name, 'abc', 'words of the session')
  return {
    name,
    routes: [],
    forget: (traceId) => void core.db.prepare('DELETE FROM toy_notes WHERE stage = ? AND trace_id = ?').run(name, traceId),
    start: () => void calls.push(`start ${name}`),
    stop: () => void calls.push(`stop ${name}`),
    close: () => void calls.push(`close ${name}`),
    ...more,
  }
}
const kept = (core: ReturnType<typeof openCore>) => core.db.prepare<[], string>('SELECT stage FROM toy_notes ORDER BY stage').pluck().all()

test('a session is forgotten by every stage, or by none', async () => {
  const core = openCore()
  const calls: string[] = []
  const failing = notebook(core, 'b', calls, {
    forget: () => {
      throw new Error('no')
    },
  })
  const some = combine(core, [notebook(core, 'a', calls), failing], () => Settings.parse({}))
  expect(() => core.tx(() => some.forget('abc'))).toThrow('no')
  expect(kept(core)).toEqual(['a', 'b'])
  const all = combine(core, [notebook(core, 'a', calls), notebook(core, 'b', calls)], () => Settings.parse({}))
  core.tx(() => all.forget('abc'))
  expect(kept(core)).toEqual([])
  await core.close()
})

test('all stop before the first is closed, last one first, and one that fails keeps none from ending', async () => {
  const core = openCore()
  const calls: string[] = []
  const stages = combine(
    core,
    [
      notebook(core, 'a', calls),
      notebook(core, 'b', calls, {
        stop: () => {
          throw new Error('busy')
        },
      }),
    ],
    () => Settings.parse({}),
  )
  await stages.start({ watch: true })
  await expect(stages.close()).rejects.toThrow('busy')
  expect(calls).toEqual(['start a', 'start b', 'stop a', 'close b', 'close a'])
  await core.close()
})

test('a stage hears of a setting when the value that it picks changes', async () => {
  const core = openCore()
  const before = Settings.parse({})
  let acted = 0
  const stage = notebook(core, 'a', [], { settings: [{ select: ({ prices }) => prices, onChange: () => (acted += 1) }] })
  const stages = combine(core, [stage], () => before)
  const emitSettings = (settings: Settings) => core.tx(() => core.events.append('settings:changed', { settings }))
  emitSettings({ ...before, capture: { ...before.capture, paused: !before.capture.paused } })
  expect(acted).toBe(0)
  const changed = { ...before, prices: [{ model: 'm', inputPerMTok: 1, outputPerMTok: 1 }] }
  emitSettings(changed)
  emitSettings(changed)
  expect(acted).toBe(1)
  await stages.close()
  await core.close()
})
