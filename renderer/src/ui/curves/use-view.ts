import { useCallback, useMemo, useState } from 'react'
import { useSearchState } from '../use-search.ts'
import type { Axes, Axis } from './axis.ts'
import type { View } from './view.ts'

export const SMOOTHING = { start: 0.6, most: 0.99, step: 0.01 }
export const CLIPS = [0.95, 0.99] as const

const numberOf = (text: string | null): number | null => (text === null || !Number.isFinite(Number(text)) ? null : Number(text))

/** The view in the address, along the first axis unless it names another: `x`, `log`, `smooth`, `clip`, `from` and `to`, `last`. */
export function readView(search: URLSearchParams, axes: Axes): View {
  const [from, to] = [numberOf(search.get('from')), numberOf(search.get('to'))]
  const smoothing = numberOf(search.get('smooth')) ?? SMOOTHING.start
  const clip = numberOf(search.get('clip'))
  const window = numberOf(search.get('last'))
  return {
    axis: axes.find(({ id }) => id === search.get('x')) ?? axes[0],
    log: search.get('log') === '1',
    smoothing: Math.min(SMOOTHING.most, Math.max(0, smoothing)),
    clip: CLIPS.find((share) => share === clip) ?? null,
    range: from !== null && to !== null && from < to ? [from, to] : null,
    window: window !== null && window > 0 ? window : null,
  }
}

/** A change as parameters of the address; defaults are left out. */
export function writeView(part: Partial<View>, defaultAxis: Axis): Record<string, string | null> {
  const { axis, log, smoothing, clip, range, window } = part
  const exact = (value: number) => String(Number(value.toPrecision(10)))
  return {
    ...(axis !== undefined && { x: axis.id === defaultAxis.id ? null : axis.id, from: null, to: null }),
    ...(log !== undefined && { log: log ? '1' : null }),
    ...(smoothing !== undefined && { smooth: smoothing === SMOOTHING.start ? null : exact(smoothing) }),
    ...(clip !== undefined && { clip: clip === null ? null : String(clip) }),
    ...(range !== undefined && { from: range && exact(range[0]), to: range && exact(range[1]) }),
    ...(window !== undefined && { last: window === null ? null : String(window), from: null, to: null }),
  }
}

/** How the curves of the page are shown, kept in the address. */
export function useView(axes: Axes): [View, (part: Partial<View>) => void] {
  const [search, change] = useSearchState()
  const text = ['x', 'log', 'smooth', 'clip', 'from', 'to', 'last'].map((name) => search.get(name)).join(' ')
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- other parts of the address don't change the view
  const view = useMemo(() => readView(search, axes), [text, axes])
  const set = useCallback((part: Partial<View>) => change(writeView(part, axes[0]), { replace: true }), [change, axes])
  return [view, set]
}

/** Turns smoothing off, and on again with its former weight. */
export function useSmoothingSwitch({ smoothing }: View, onView: (part: Partial<View>) => void): () => void {
  const [before, setBefore] = useState<number>(SMOOTHING.start)
  return () => {
    if (smoothing > 0) setBefore(smoothing)
    onView({ smoothing: smoothing > 0 ? 0 : before })
  }
}
