// Runs in Chromium: measures a redraw of the product's chart with 50 runs of 100,000 points each.
import { STEP } from '#renderer/ui/curves/axis.ts'
import { Plot, type Line } from '#renderer/ui/curves/plot.ts'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import { Series } from '#renderer/ui/curves/series.ts'
import { shownSpan, type View } from '#renderer/ui/curves/view.ts'

const SIZE = { width: 1300, height: 520 }
const loss = (run: number, step: number) => 2 + run / 20 + 6 / Math.sqrt(step / 50 + 1) + ((step * 7919 + run * 104_729) % 1000) / 2500

export interface Redraw {
  /** Milliseconds per redraw: `script` is JavaScript only, `total` includes rasterising the canvas. */
  script: number[]
  total: number[]
  fillMs: number
}

/** Adds one point to every run before each redraw, so that nothing can be reused from the previous redraw. */
export function measure({
  runs,
  points,
  redraws,
  smoothing,
}: {
  runs: number
  points: number
  redraws: number
  smoothing: number
}): Redraw {
  const began = performance.now()
  const lines = Array.from({ length: runs }, (_, run): Line => {
    const series = new Series(points * 2)
    for (let step = 1; step <= points; step += 1) push(series, run, step)
    return { id: `run ${run}`, label: `run ${run}`, ...lookOf({ no: run + 1 }), series, look: 'smooth' }
  })
  const fillMs = performance.now() - began
  const view: View = { axis: STEP, log: false, smoothing, clip: null, range: null, window: null }
  const host = document.createElement('div')
  document.body.append(host)
  const plot = new Plot(
    host,
    { ...SIZE, sync: 'bench' },
    { onZoom: () => undefined, onReset: () => undefined, onCursor: () => undefined, onOutside: () => undefined },
  )
  const allSeries = lines.map(({ series }) => series)
  plot.show({ lines, view, spanOf: () => shownSpan(allSeries, view), markers: [] })
  plot.drawNow()
  const script: number[] = []
  const total: number[] = []
  const ctx = plot.canvas.getContext('2d')!
  for (let redraw = 1; redraw <= redraws; redraw += 1) {
    allSeries.forEach((series, run) => push(series, run, points + redraw))
    const start = performance.now()
    plot.drawNow()
    script.push(performance.now() - start)
    ctx.getImageData(0, 0, 1, 1) // waits until it is drawn
    total.push(performance.now() - start)
  }
  plot.destroy()
  host.remove()
  return { script, total, fillMs }
}

function push(series: Series, run: number, step: number): void {
  series.push({ step, epoch: step / 1000, tokens: step * 512, time: step / 3 }, loss(run, step))
}

Object.assign(globalThis, { measureCharts: measure })
