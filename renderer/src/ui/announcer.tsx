import { useEffect, useRef } from 'react'
import { create } from 'zustand'

/** Minimum time between two announcements; in between only the newest is kept. */
const EVERY_MS = 5000

const useAnnouncement = create(() => ({ text: '' }))
let next: string | null = null
let lastAt = -Infinity
let timer: ReturnType<typeof setTimeout> | undefined

function publish(text: string): void {
  useAnnouncement.setState({ text })
  lastAt = performance.now()
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

/** The one live region of the app. */
export const Announcer = () => (
  <div role="status" className="sr-only">
    {useAnnouncement(({ text }) => text)}
  </div>
)
