import { useEffect, useRef } from 'react'

const WINDOW = '[role=dialog], [role=alertdialog]'

/**
 * After a change of page (a link, the palette, a node of a graph, Back) focuses the content of the page, so that keys and
 * screen readers continue there. An element inside the content that stays visible, such as an entry of a list of sections,
 * keeps the focus; so do a field that the new page has focused and a dialog above the page.
 */
export function useArrival(path: string): void {
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    const content = document.getElementById('content')
    const active = document.activeElement
    // a page that is being replaced is hidden first, and a hidden element is about to lose the focus
    const stays = active !== content && content?.contains(active) === true && active?.checkVisibility() === true
    if (!stays && !active?.closest(WINDOW)) content?.focus({ preventScroll: true })
  }, [path])
}
