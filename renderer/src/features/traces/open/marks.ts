import { useEffect, type RefObject } from 'react'
import { placesOf, type Place } from '#contracts/fold.ts'

/** Each mark also has an underline, so that colour is not the only sign. Not in tokens.css, whose compiler does not support `::highlight` yet. */
const STYLES = {
  found: 'background-color: color-mix(in srgb, var(--accent) 30%, transparent); text-decoration: underline',
  secret: 'background-color: color-mix(in srgb, var(--warn) 25%, transparent); text-decoration: underline wavy var(--warn)',
} as const
export type Mark = keyof typeof STYLES

/** The highlight of a mark; its style sheet is added on first use. */
function highlightOf(mark: Mark): Highlight {
  const existing = CSS.highlights.get(mark)
  if (existing) return existing
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`::highlight(${mark}) { ${STYLES[mark]} }`)
  document.adoptedStyleSheets.push(sheet)
  const highlight = new Highlight()
  CSS.highlights.set(mark, highlight)
  return highlight
}

const MAX_MARKS = 500

/**
 * Marks words in the text of an element, including parts that unfold later. The DOM is not changed: terminal colours
 * and Markdown cut a text into many elements. A browser without highlights marks nothing, so everything marked is also stated in text.
 */
export function useMarks(box: RefObject<HTMLElement | null>, mark: Mark, words: readonly string[]): void {
  const joinedWords = words.join('\0')
  useEffect(() => {
    const element = box.current
    if (joinedWords === '' || element === null || !('highlights' in CSS)) return undefined
    const highlight = highlightOf(mark)
    let ranges: Range[] = []
    const clear = () => ranges.forEach((range) => highlight.delete(range))
    const draw = () => {
      clear()
      ranges = rangesOf(element, joinedWords.split('\0'), mark === 'found')
      ranges.forEach((range) => highlight.add(range))
    }
    draw()
    const watch = new MutationObserver(draw)
    watch.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      watch.disconnect()
      clear()
    }
  }, [box, mark, joinedWords])
}

/** Ranges of these words in the text of an element, across its inner elements. `isFolded`: as a search compares texts. */
export function rangesOf(element: HTMLElement, words: readonly string[], isFolded: boolean): Range[] {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: { node: Text; at: number }[] = []
  let text = ''
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    nodes.push({ node: node as Text, at: text.length }) // only texts are walked
    text += (node as Text).data
  }
  return words
    .flatMap((word) => (isFolded ? placesOf(text, word, MAX_MARKS) : exactPlaces(text, word)))
    .slice(0, MAX_MARKS)
    .map(({ start, end }) => {
      const range = document.createRange()
      const from = nodes.findLast((one) => one.at <= start) ?? nodes[0]!
      const to = nodes.findLast((one) => one.at < end) ?? nodes[0]!
      range.setStart(from.node, start - from.at)
      range.setEnd(to.node, end - to.at)
      return range
    })
}

function exactPlaces(text: string, word: string): Place[] {
  const places: Place[] = []
  if (word === '') return places
  for (let start = text.indexOf(word); start >= 0 && places.length < MAX_MARKS; start = text.indexOf(word, start + word.length))
    places.push({ start, end: start + word.length })
  return places
}
