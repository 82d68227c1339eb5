import { afterAll, expect, it } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { NOTHING_YET } from '../live.ts'
import { createBlockStore } from './blocks.ts'
import { seriesOf } from './series.ts'

const core = openCore()
afterAll(() => core.close())
const blocks = createBlockStore(core.db)
let runCount = 0
const newRun = (): number => {
  runCount += 1
  core.db
    .prepare(
      "INSERT INTO runs (id, name, state, strategy, base_model, asked, live, created_at) VALUES (?, 'n', 'running', 'sft', 'm', '{}', ?, 0)",
    )
    .run(`run-${runCount}`, JSON.stringify(NOTHING_YET))
  return core.db.prepare<[], { no: number }>('SELECT max(no) AS no FROM runs').get()!.no
}
const at = (step: number) => ({ step, epoch: step / 100, tokens: step * 10, seconds: step / 10, seq: step + 5 })
const series = (no: number, name: string, range: { from?: number; to?: number; points?: number } = {}) =>
  seriesOf(blocks, { no, id: 'a'.repeat(26), seq: 0 }, { names: [name], points: 10_000, ...range })[0]!

it('returns every point across blocks and restarts, each metric at its steps', () => {
  const no = newRun()
  for (let part = 0; part < 4; part += 1) {
    const writer = blocks.writer(no) // a new one, like after a restart
    for (let step = part * 200 + 1; step <= part * 200 + 200; step += 1)
      writer.append(at(step), { loss: 1 / step, ...(step % 50 === 0 && { eval_loss: step === 400 ? null : step }) })
    writer.flush()
  }
  const steps = Array.from({ length: 800 }, (_, index) => index + 1)
  expect(series(no, 'loss')).toMatchObject({
    steps,
    last: steps.map((step) => 1 / step),
    seconds: steps.map((step) => step / 10),
    count: 800,
  })
  expect(series(no, 'eval_loss')).toMatchObject({ steps: steps.filter((step) => step % 50 === 0), notFinite: [400], count: 16 })
  expect(series(no, 'eval_loss').last[7]).toBeNull()
  expect(series(no, 'loss', { from: 300, to: 302 })).toMatchObject({ steps: [300, 301, 302], count: 3 })
  expect(blocks.names(no)).toEqual(['eval_loss', 'loss'])
  expect(blocks.recent(no, 'eval_loss').map(({ step }) => step)).toEqual(steps.filter((step) => step % 50 === 0))
})

it('keeps the extremes of each bucket, and the position of its last point', () => {
  const no = newRun()
  const writer = blocks.writer(no)
  for (let step = 1; step <= 1000; step += 1) writer.append(at(step), { loss: step === 333 ? 99 : step === 666 ? -99 : 1 })
  writer.flush()
  const found = series(no, 'loss', { points: 10 })
  expect(found.steps).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
  expect(Math.max(...found.max.map(Number))).toBe(99)
  expect(found.max.indexOf(99)).toBe(3)
  expect(found.min.indexOf(-99)).toBe(6)
  expect(found.last).toEqual(found.steps.map(() => 1))
})

it('keeps gaps between buckets, and the extremes next to them', () => {
  const no = newRun()
  const writer = blocks.writer(no)
  const isGap = (step: number) => step === 150 || (step > 420 && step <= 580) || step === 1000
  for (let step = 1; step <= 1000; step += 1) writer.append(at(step), { loss: isGap(step) ? null : step === 999 ? 99 : 1 })
  writer.flush()
  const found = series(no, 'loss', { points: 20 })
  expect(found.steps.length).toBeLessThanOrEqual(20)
  const drawn = found.steps.map((step, index) => [step, found.last[index]] as const)
  expect(drawn.filter(([step]) => isGap(step)).every(([, value]) => value === null)).toBe(true)
  expect(drawn.filter(([, value]) => value === null).every(([step]) => isGap(step))).toBe(true)
  for (const edge of [149, 150, 420, 580, 999, 1000]) expect(found.steps).toContain(edge)
  expect([found.max.at(-2), found.max.at(-1), found.last.at(-2)]).toEqual([99, null, 99])
  expect(found.notFinite).toHaveLength(162)
})

it('keeps the finite values of each bucket if every other point is a gap', () => {
  const no = newRun()
  const writer = blocks.writer(no)
  for (let step = 1; step <= 1000; step += 1) writer.append(at(step), { loss: step % 2 === 0 ? null : step })
  writer.flush()
  const found = series(no, 'loss', { points: 10 })
  expect(found.steps).toHaveLength(10)
  expect(found.last).toEqual([99, 199, 299, 399, 499, 599, 699, 799, 899, 999])
})

it('removes points that a run repeats, across blocks', () => {
  const no = newRun()
  let writer = blocks.writer(no)
  for (let step = 1; step <= 600; step += 1) writer.append(at(step), { loss: 1, early: 1 })
  writer.flush()
  writer = blocks.writer(no)
  writer.cut(250)
  for (let step = 250; step <= 300; step += 1) writer.append(at(step), { loss: 2 })
  writer.flush()
  expect(series(no, 'loss').last).toEqual(Array.from({ length: 300 }, (_, index) => (index + 1 < 250 ? 1 : 2)))
  expect(series(no, 'early').steps.at(-1)).toBe(249)
  writer.cut(0)
  expect(series(no, 'loss').count).toBe(0)
})
