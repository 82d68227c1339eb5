import { useEffect, type RefObject } from 'react'

/** An underline as well: colour is never alone. Not in tokens.css, whose compiler does not know `::highlight` yet. */
const LOOKS = {
  found: 'background-color: color-mix(in srgb, var(--accent) 30%, transparent); text-decoration: underline',
  secret: 'background-color: color-mix(in srgb, var(--warn) 25%, transparent); text-decoration: underline wavy var(--warn)',
} as const
export type Mark = keyof typeof LOOKS

/** The marks of a name, with their look from the first time on. */
function highlightOf(mark: Mark): Highlight {
  const known = CSS.highlights.get(mark)
  if (known) return known
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${mark}) { ${LOOKS[mark]} }`)
  document.adoptedStyleSheets.push(sheet)
  const made = new Highlight()
  CSS.highlights.set(mark, made)
  return made
}

const MAX_MARKS = 500

/**
 * Marks words in the text of an element, including parts that unfold later. The DOM is not changed: terminal colours
 * and Markdown cut a text into many elements. A browser without highlights marks nothing, so everything marked is also stated in text.
 */
export function useMarks(box: RefObject<HTMLElement | null>, mark: Mark, words: readonly string[]): void {
  const wanted = words.join('\0')
  useEffect(() => {
    const element = box.current
    if (wanted === '' || element === null || !('highlights' in CSS)) return undefined
    const known = highlightOf(mark)
    let ranges: Range[] = []
    const clear = () => ranges.forEach((range) => known.delete(range))
    const draw = () => {
      clear()
      ranges = rangesOf(element, wanted.split('\0'), mark === 'found')
      ranges.forEach((range) => known.add(range))
    }
    draw()
    const watch = new MutationObserver(draw)
    watch.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      watch.disconnect()
      clear()
    }
  }, [box, mark, wanted])
}

/** Ranges of these words in the text of an element, across its inner elements. */
export function rangesOf(element: HTMLElement, words: readonly string[], isAnyCase: boolean): Range[] {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: { node: Text; at: number }[] = []
  let text = ''
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    nodes.push({ node: node as Text, at: text.length }) // only texts are walked
    text += (node as Text).data
  }
  // lower case of a few letters is longer: then places would not fit
  const lower = text.toLowerCase()
  const searched = isAnyCase && lower.length === text.length ? lower : text
  const ranges: Range[] = []
  for (const word of words) {
    const needle = searched === lower ? word.toLowerCase() : word
    if (needle === '') continue
    for (let at = searched.indexOf(needle); at >= 0 && ranges.length < MAX_MARKS; at = searched.indexOf(needle, at + needle.length)) {
      const range = document.createRange()
      const place = (offset: number, isEnd: boolean) => nodes.findLast((one) => (isEnd ? one.at < offset : one.at <= offset)) ?? nodes[0]!
      const from = place(at, false)
      const to = place(at + needle.length, true)
      range.setStart(from.node, at - from.at)
      range.setEnd(to.node, at + needle.length - to.at)
      ranges.push(range)
    }
  }
  return ranges
}
