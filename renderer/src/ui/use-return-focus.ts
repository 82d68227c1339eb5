import { useRef } from 'react'

/**
 * Returns the focus to where it was before a dialog opened. For a menu item that is the button of the menu; if the
 * element is gone, it is the content of the page, so that keys keep working.
 */
export function useReturnFocus(): { remember: () => void; restore: () => void } {
  const before = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      const active = document.activeElement
      const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
      const place = opener ? document.getElementById(opener) : active
      before.current = place instanceof HTMLElement && place !== document.body ? place : null
    },
    restore: () => {
      if (document.activeElement !== document.body) return // something else has the focus
      const place = before.current?.isConnected ? before.current : document.getElementById('content')
      place?.focus({ preventScroll: true })
    },
  }
}
