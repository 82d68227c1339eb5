import { useRef } from 'react'

/**
 * What had the focus before a window that no trigger of its own opened. An item of a menu stands for the button of that
 * menu; where the place is gone the content of the page gets the focus, so that keys go on from there.
 */
export function useReturnFocus(): { remember: () => void; giveBack: () => void } {
  const before = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      const active = document.activeElement
      const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
      const place = opener ? document.getElementById(opener) : active
      before.current = place instanceof HTMLElement && place !== document.body ? place : null
    },
    giveBack: () => {
      if (document.activeElement !== document.body) return // something else has taken it
      const place = before.current?.isConnected ? before.current : document.getElementById('content')
      place?.focus({ preventScroll: true })
    },
  }
}
