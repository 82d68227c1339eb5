import { Columns, columnsOf, type Frame } from './trace-line.ts'
import type { Series } from './series.ts'

/** Columns longer than this end at whole pixels, because a soft end is not visible on a noisy curve. */
const TALL = 6

/** Columns that are transposed at a time, so that they fit the nearest cache. */
const TILE = 16

/**
 * Dense lines, painted to memory one column of pixels at a time; a canvas needs several times as long for a path of a
 * hundred thousand short strokes. Its pixels are those of the frame.
 */
export class ColumnLayer {
  readonly #canvas = document.createElement('canvas')
  #image = new ImageData(1, 1)
  /** Column by column, so that a column is contiguous. */
  #pixels = new Uint32Array(1)
  readonly #columns = new Columns()
  #isEmpty = true

  /** An empty layer of the frame's size. */
  clear({ width, height }: Frame): void {
    const [w, h] = [Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height))]
    if (this.#image.width !== w || this.#image.height !== h) {
      this.#image = new ImageData(w, h)
      this.#pixels = new Uint32Array(w * h)
      this.#canvas.width = w
      this.#canvas.height = h
    } else if (!this.#isEmpty) this.#pixels.fill(0)
    this.#isEmpty = true
  }

  /** `thick`: thickness of a flat line in pixels. `color`: a colour for a canvas. */
  add(series: Series, axis: string, frame: Frame, { from, to }: { from: number; to: number }, color: string, thick: number): void {
    this.#isEmpty = false
    const ink = abgrOf(color)
    const columns = this.#columns
    columnsOf(series, axis, frame, from, to, columns)
    const { pixel, top, bottom, joined } = columns
    for (let at = 0; at < columns.size; at += 1) {
      // extended to where the previous column ends, so that a steep line has no gaps
      const upper = joined[at] && bottom[at - 1]! < top[at]! ? bottom[at - 1]! : top[at]!
      const lower = joined[at] && top[at - 1]! > bottom[at]! ? top[at - 1]! : bottom[at]!
      const more = Math.max(0, thick - (lower - upper)) / 2
      this.#column(pixel[at]!, upper - more - frame.top, lower + more - frame.top, ink)
    }
  }

  /** Paints the layer onto a canvas with its `globalAlpha`. */
  paint(ctx: CanvasRenderingContext2D, { left, top }: Frame): void {
    if (this.#isEmpty) return
    this.#toRows()
    this.#canvas.getContext('2d')?.putImageData(this.#image, 0, 0)
    ctx.drawImage(this.#canvas, left, top)
  }

  #column(x: number, top: number, bottom: number, ink: number): void {
    const { width, height } = this.#image
    const from = Math.max(0, top)
    const to = Math.min(height, bottom)
    if (x >= width || from >= to) return
    const isTall = to - from > TALL
    const first = isTall ? Math.round(from) : Math.ceil(from)
    const last = isTall ? Math.round(to) : Math.floor(to)
    const start = x * height
    const pixels = this.#pixels
    for (let at = start + first; at < start + last; at += 1) pixels[at] = ink // fill() costs more for so few pixels
    if (isTall) return
    // a partly covered pixel gets a part of the strength
    if (first > last) return this.#blend(start + last, ink, to - from)
    if (first > from) this.#blend(start + first - 1, ink, first - from)
    if (to > last) this.#blend(start + last, ink, to - last)
  }

  #toRows(): void {
    const { width, height, data } = this.#image
    const rows = new Uint32Array(data.buffer)
    for (let left = 0; left < width; left += TILE)
      for (let y = 0; y < height; y += 1)
        for (let x = left; x < Math.min(width, left + TILE); x += 1) rows[y * width + x] = this.#pixels[x * height + y]!
  }

  /** Blends into the pixel, with the greater coverage of both. */
  #blend(at: number, ink: number, share: number): void {
    const below = this.#pixels[at]!
    const cover = (255 * share + 0.5) | 0
    const under = below >>> 24
    if (under === 0) {
      this.#pixels[at] = (cover << 24) | (ink & 0xff_ff_ff)
      return
    }
    const part = under === 255 ? share : cover / (cover + under + 1)
    const b = ((below >>> 16) & 255) + (((ink >>> 16) & 255) - ((below >>> 16) & 255)) * part
    const g = ((below >>> 8) & 255) + (((ink >>> 8) & 255) - ((below >>> 8) & 255)) * part
    const r = (below & 255) + ((ink & 255) - (below & 255)) * part
    this.#pixels[at] = ((cover > under ? cover : under) << 24) | ((b | 0) << 16) | ((g | 0) << 8) | (r | 0)
  }
}

const inks = new Map<string, number>()
let probe: CanvasRenderingContext2D | null = null

/** A colour as the bytes of an image, read as a little-endian number (all browsers run on such machines). */
function abgrOf(color: string): number {
  let ink = inks.get(color)
  if (ink === undefined) {
    probe ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
    probe.fillStyle = color
    probe.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data
    ink = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0
    inks.set(color, ink)
  }
  return ink
}
