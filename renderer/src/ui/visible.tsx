import type { ReactNode } from 'react'

/**
 * Invisible characters that may change how a text reads: controls other than tab and line ends, direction marks (UAX #9),
 * zero-width characters, tag characters. Those that emoji, flags and joined scripts need are not included. `forTerminal`
 * of the command line has the same list.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are what is meant
  /([\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]|(?<=[\u0020-\u007E])[\u200C\u200D]|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]*)[\u{E0000}-\u{E007F}])/u

const nameOf = (sign: string) => `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** For plain text such as tooltips: hidden characters as their names. */
export const visible = (text: string): string =>
  text
    .split(HIDDEN)
    .map((part, index) => (index % 2 === 1 ? `⟨${nameOf(part)}⟩` : part))
    .join('')

/**
 * Text that someone else wrote, with its hidden characters marked and without effect (each is isolated). They stay in
 * the text and their names are not part of it, so that a copy equals the original.
 */
export function Visible({ text }: { text: string }): ReactNode {
  const parts = text.split(HIDDEN)
  if (parts.length === 1) return text
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one text are never reordered
      <bdi key={index} data-sign={nameOf(part)} className="hidden-sign">
        {part}
      </bdi>
    ) : (
      part
    ),
  )
}

interface Node {
  type: string
  value?: string
  children?: Node[]
}

/** The same for the text of Markdown, as a plugin of rehype: `tree` is what its HTML is made of. */
export const visibleMarkdown = () => (tree: object) => markWithin(tree as Node) // hast

function markWithin(node: Node): void {
  node.children = node.children?.flatMap((child): Node[] => {
    markWithin(child)
    const parts = child.type === 'text' ? (child.value ?? '').split(HIDDEN) : []
    if (parts.length <= 1) return [child]
    return parts.map((value, index) => {
      const text = { type: 'text', value }
      if (index % 2 === 0) return text
      return { type: 'element', tagName: 'bdi', properties: { dataSign: nameOf(value), className: ['hidden-sign'] }, children: [text] }
    })
  })
}
