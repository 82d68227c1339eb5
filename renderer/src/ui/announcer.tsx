import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Minimum time between two announcements; in between only the newest is kept. */
const EVERY_MS = 5000

let announcement = ''
let next: string | null = null
let lastAt = -Infinity
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

function publish(text: string): void {
  announcement = text
  lastAt = performance.now()
  watchers.forEach((watcher) => watcher())
}

/** Announces politely to screen readers. Of a burst only the last text is announced. */
export function announce(text: string): void {
  const wait = lastAt + EVERY_MS - performance.now()
  if (wait <= 0 && timer === undefined) {
    publish(text)
    return
  }
  next = text
  timer ??= setTimeout(() => {
    timer = undefined
    if (next !== null) publish(next)
    next = null
  }, wait)
}

export function useAnnounce(text: string): void {
  const before = useRef('')
  useEffect(() => {
    if (before.current === text) return
    before.current = text
    if (text !== '') announce(text)
  }, [text])
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The one live region of the app. */
export const Announcer = () => (
  <div role="status" className="sr-only">
    {useSyncExternalStore(subscribe, () => announcement)}
  </div>
)
