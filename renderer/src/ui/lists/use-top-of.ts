import { useLayoutEffect, useState, type RefObject } from 'react'

/** Pixels between the top of a scroller's content and an element in it, such as rows below a header. For `scrollMargin`. */
export function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  // after every render, because what is above may appear at any time
  useLayoutEffect(() => setTop(element.current?.offsetTop ?? 0))
  return top
}
