import { useLayoutEffect, useState, type RefObject } from 'react'

/** Pixels between the top of a scroller's content and an element in it, such as rows below a header. For `scrollMargin`. */
export function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  // oxlint-disable-next-line react/set-state-in-effect, react-hooks/exhaustive-deps -- after every render, because what is above may appear at any time; an equal number ends it
  useLayoutEffect(() => setTop(element.current?.offsetTop ?? 0))
  return top
}
