/** A colour of tokens.css by its name, e.g. `series-1`. */
export type Ink =
  | `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | 'second'
  | 'line'
  | 'edge'
  | 'text'
  | 'bg'
  | 'panel'
  | 'accent'
  | 'ok'
  | 'warn'
  | 'bad'

const colors = new Map<Ink, string>()
const watchers = new Set<() => void>()
let probe: HTMLElement | null = null

/** A colour for a canvas, which supports neither variables nor light-dark(). */
export function inkOf(name: Ink): string {
  let color = colors.get(name)
  if (color === undefined) {
    if (!probe) {
      probe = document.createElement('span')
      probe.hidden = true
      document.body.append(probe)
      new MutationObserver(forget).observe(document.documentElement, { attributeFilter: ['data-theme'] })
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forget)
    }
    probe.style.color = `var(--${name})`
    color = getComputedStyle(probe).color
    colors.set(name, color)
  }
  return color
}

/** Calls back when the theme has changed and everything must be redrawn. Returns a function that stops it. */
export function onInkChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function forget(): void {
  colors.clear()
  watchers.forEach((watcher) => watcher())
}

const SERIES_INKS: readonly Ink[] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `series-${number as 1}` as const)
export const seriesInk = (index: number): Ink => SERIES_INKS[index % SERIES_INKS.length]!
/** The colour `places` after another one. */
export const inkAfter = (ink: Ink, places: number): Ink => seriesInk(Math.max(0, SERIES_INKS.indexOf(ink)) + places)

const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3]]
export const seriesDash = (index: number): number[] => DASHES[index % DASHES.length]!

/** The colour and dash of one curve of several, the same on every page. */
export interface Look {
  ink: Ink
  dash: number[]
}

/** Dash of each colour: colours that are hard to distinguish (see the test) have different dashes. */
const DASH_OF_INK = [0, 0, 1, 1, 3, 1, 2, 0]

/** Depends only on the run's number, so it stays the same when other runs are added or removed. Looks repeat after 32 numbers. */
export function lookOf({ no }: { no: number }): Look {
  const place = (no - 1) % SERIES_INKS.length
  const round = Math.floor((no - 1) / SERIES_INKS.length)
  return { ink: seriesInk(place), dash: seriesDash(DASH_OF_INK[place]! + round) }
}
