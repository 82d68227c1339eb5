import { useTheme } from '#renderer/stores/theme.ts'

/** A colour of tokens.css by its name, e.g. `series-1`. */
export type Ink = `series-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}` | 'second' | 'line' | 'edge' | 'text' | 'bg' | 'panel' | 'accent' | 'bad'

const known = new Map<Ink, string>()
const watchers = new Set<() => void>()
let probe: HTMLElement | null = null

/** What a canvas understands: it knows no variables and no light-dark(). */
export function inkOf(name: Ink): string {
  let color = known.get(name)
  if (color === undefined) {
    if (!probe) {
      probe = document.createElement('span')
      probe.hidden = true
      document.body.append(probe)
      useTheme.subscribe(forget)
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forget)
    }
    probe.style.color = `var(--${name})`
    color = getComputedStyle(probe).color
    known.set(name, color)
  }
  return color
}

/** Told when the theme has changed and everything must be drawn anew. Returns how to stop. */
export function onInkChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function forget(): void {
  known.clear()
  // the attribute of the document is set by another listener of the same change
  queueMicrotask(() => watchers.forEach((watcher) => watcher()))
}

const SERIES_INKS: readonly Ink[] = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `series-${number as 1}` as const)
export const seriesInk = (index: number): Ink => SERIES_INKS[index % SERIES_INKS.length]!
/** Dashes help where colours repeat. */
export const seriesDash = (index: number): number[] => [[], [6, 3], [2, 3], [8, 3, 2, 3]][Math.floor(index / SERIES_INKS.length) % 4]!
