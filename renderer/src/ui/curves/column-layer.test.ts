import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Series } from './series.ts'
import { shownOf, type Frame } from './trace-line.ts'

const frame: Frame = { left: 0, top: 0, width: 50, height: 100, span: [1, 5000], lo: 0, hi: 100, log: false }
const RED = 0xff_00_00_ff

/** The image last put on the canvas; the canvas is a stub, because Node has none. */
let put: { width: number; data: Uint8ClampedArray } | null
beforeEach(() => {
  put = null
  const context = {
    fillRect: () => undefined,
    getImageData: () => ({ data: [255, 0, 0, 255] }),
    putImageData: (image: { width: number; data: Uint8ClampedArray }) => (put = image),
  }
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => context }) })
  vi.stubGlobal(
    'ImageData',
    class {
      readonly width: number
      readonly height: number
      readonly data: Uint8ClampedArray
      constructor(width: number, height: number) {
        this.width = width
        this.height = height
        this.data = new Uint8ClampedArray(width * height * 4)
      }
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

/** The rows that are fully covered, for each column. */
async function painted(valueAt: (place: number) => number): Promise<number[][]> {
  const { ColumnLayer } = await import('./column-layer.ts')
  const series = new Series()
  for (let at = 1; at <= 5000; at += 1) series.push({ step: at, epoch: at, tokens: at, time: at }, valueAt(at))
  const layer = new ColumnLayer()
  layer.clear(frame)
  layer.add(series, 'step', frame, shownOf(series, 'step', frame), 'red', 2)
  layer.paint({ drawImage: () => undefined } as unknown as CanvasRenderingContext2D, frame)
  const pixels = new Uint32Array(put!.data.buffer)
  return Array.from({ length: frame.width }, (_, x) =>
    Array.from({ length: frame.height }, (_, y) => y).filter((y) => pixels[y * put!.width + x] === RED),
  )
}

test('a flat line has the given thickness in every column', async () => {
  expect(await painted(() => 50)).toEqual(Array.from({ length: 50 }, () => [49, 50]))
})

test('a jumping line has no gap between its columns and keeps its extremes', async () => {
  // a block and a column both end at 2,528, so neither column contains both values
  const columns = await painted((at) => (at <= 2528 ? 10 : 90))
  const rows = new Set(columns.flat())
  for (let y = 10; y < 90; y += 1) expect(rows.has(y)).toBe(true)
  expect(columns[0]).toEqual([89, 90])
  expect(columns.at(-1)).toEqual([9, 10])
})

test('a gap is empty', async () => {
  const columns = await painted((at) => (at > 2000 && at <= 3000 ? Number.NaN : 50))
  expect(columns.map((rows) => rows.length > 0).filter((is) => !is).length).toBeGreaterThanOrEqual(8)
  expect(columns[25]).toEqual([])
})
