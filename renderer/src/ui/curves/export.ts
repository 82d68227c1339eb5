import { saveFile } from '../save-file.ts'
import { axisTicks, logTicks, niceTicks } from './scale.ts'
import type { Line } from './plot.ts'
import type { Span, View } from './view.ts'
import { formatPlace, formatTicks } from './ticks.ts'
import { traceLine, xOf, yOf, type Frame, type Pen } from './trace-line.ts'

const csvQuoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const cell = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : String(value))

/** A row per point. `least` and `greatest` differ from `value` if a point stands for several. */
export function csvOf(lines: readonly Line[]): string {
  const axes = [...new Set(lines.flatMap(({ series }) => series.axes))]
  const columns = axes.map((axis) => (axis === 'time' ? 'seconds' : axis))
  const rows = [['curve', ...columns, 'value', 'least', 'greatest'].join(',')]
  for (const { label, series } of lines) {
    for (let at = 0; at < series.size; at += 1) {
      const places = axes.map((axis) => cell(series.x(axis)[at]))
      rows.push([csvQuoted(label), ...places, cell(series.last[at]), cell(series.lo[at]), cell(series.hi[at])].join(','))
    }
  }
  return `${rows.join('\n')}\n`
}

const WIDTH = 960
const HEIGHT = 420
const LEFT = 72
const TOP = 44
const RIGHT = 16
const BOTTOM = 56
/** Columns of the legend. */
const COLUMNS = 4
const COLUMN_PX = (WIDTH - LEFT - RIGHT) / COLUMNS
const ROW_PX = 20
const LONGEST_NAME = 26

/** A name that fits its column, cut in the middle because names differ at their ends. */
const shortenName = (name: string): string => {
  const signs = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
  return signs.length <= LONGEST_NAME ? name : `${signs.slice(0, 14).join('')}…${signs.slice(-11).join('')}`
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The shown chart as an SVG document; `colorOf` gives the colour of a line. */
export function svgOf(
  title: string,
  unit: string,
  { lines, view, span }: { lines: readonly Line[]; view: View; span: Span },
  bounds: { lo: number; hi: number },
  colorOf: (name: Line['ink']) => string,
  averageOf: (line: Line) => Line['series'] | null,
): string {
  const frame: Frame = { left: LEFT, top: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM, span, ...bounds, log: view.log }
  const text = (x: number, y: number, words: string, more = '') =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${colorOf('second')}" ${more}>${escapeXml(words)}</text>`
  const values = (view.log ? logTicks : niceTicks)(bounds.lo, bounds.hi, 8)
  const words = formatTicks(values)
  const grid = [
    ...axisTicks(view.axis.kind, span[0], span[1], 9).map((place) => {
      const x = xOf(frame, place)
      return text(x, HEIGHT - BOTTOM + 18, formatPlace(view.axis, place), 'text-anchor="middle"')
    }),
    ...values.map((value, at) => {
      const y = yOf(frame, value)
      return `<path d="M${LEFT} ${y.toFixed(1)}H${WIDTH - RIGHT}" stroke="${colorOf('line')}"/>${text(LEFT - 8, y + 4, words[at] ?? '', 'text-anchor="end"')}`
    }),
  ]
  const curves = lines.flatMap((line) => {
    const average = averageOf(line)
    const path = (series: Line['series'], more: string) =>
      `<path d="${pathOf(series, view.axis.id, frame)}" fill="none" stroke="${colorOf(line.ink)}" stroke-dasharray="${line.dash.join(' ')}" ${more}/>`
    const dots = line.look === 'dots' || line.series.size === 1 ? dotsOf(line.series, view.axis.id, frame, colorOf(line.ink)) : []
    return average
      ? [path(line.series, 'opacity="0.32"'), path(average, 'stroke-width="1.75"')]
      : [path(line.series, 'stroke-width="1.5"'), ...dots]
  })
  const legend = lines.map((line, index) => {
    const x = LEFT + (index % COLUMNS) * COLUMN_PX
    const y = HEIGHT - 14 + Math.floor(index / COLUMNS) * ROW_PX
    const dash = `stroke-dasharray="${line.dash.join(' ')}"`
    return `<path d="M${x} ${y}h20" stroke="${colorOf(line.ink)}" stroke-width="2" ${dash}/>${text(x + 26, y + 4, shortenName(line.label))}`
  })
  const height = HEIGHT + (Math.ceil(lines.length / COLUMNS) - 1) * ROW_PX
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="${colorOf('panel')}"/>
<text x="${LEFT}" y="22" font-size="15" fill="${colorOf('text')}">${escapeXml(title)}</text>
${text(WIDTH - RIGHT, 22, `${unit} by ${view.axis.unit}${view.log ? ', logarithmic' : ''}`, 'text-anchor="end"')}
<clipPath id="frame"><rect x="${frame.left}" y="${frame.top}" width="${frame.width}" height="${frame.height}"/></clipPath>
${grid.join('\n')}
<g clip-path="url(#frame)" stroke-linejoin="round">${curves.join('\n')}</g>
${legend.join('\n')}
</svg>
`
}

const DOT_PX = 3

function dotsOf(series: Line['series'], axis: string, frame: Frame, color: string): string[] {
  return Array.from({ length: series.size }, (_, at) => [xOf(frame, series.x(axis)[at]!), yOf(frame, series.last[at]!)] as const)
    .filter(([, y]) => !Number.isNaN(y))
    .map(([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${DOT_PX}" fill="${color}"/>`)
}

function pathOf(series: Line['series'], axis: string, frame: Frame): string {
  const parts: string[] = []
  const pen: Pen = {
    moveTo: (x, y) => parts.push(`M${x.toFixed(1)} ${y.toFixed(1)}`),
    lineTo: (x, y) => parts.push(`L${x.toFixed(1)} ${y.toFixed(1)}`),
  }
  traceLine(pen, series, axis, frame)
  return parts.join('')
}

/** Pixels of the PNG per unit of the drawing. */
const SHARPNESS = 2

/** The SVG as a PNG. Null if the browser can't make it (too large, no memory). */
export async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  const canvas = document.createElement('canvas')
  const ctx = canvas.getContext('2d')
  const isDrawn = await image.decode().then(
    () => true,
    () => false,
  )
  if (!ctx || !isDrawn) return null
  canvas.width = image.naturalWidth * SHARPNESS
  canvas.height = image.naturalHeight * SHARPNESS
  ctx.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** Downloads a file under a name that every file system accepts. */
export const save = (name: string, content: Blob): void => saveFile(name.replaceAll(/[^\w.-]+/g, '-'), content)
