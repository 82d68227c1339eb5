/** A block of code that is a whole message. `unreadable`: its marks are not where they must be, so its text must not be run. */
export type Fence = { language: string; inner: string } | 'unreadable'

const BLOCK = /^```([A-Za-z0-9_+.-]*)[ \t]*\r?\n([^]*)```$/
const ONE_LINE = /^```([^\n]*)```$/
/** On one line these are the language of the block, not its first word. */
const LANGUAGE = /^(bash|sh|shell|zsh|console|json)[ \t]+/i
/** A shell would run what is between such marks. */
const LAST_LINE = /\n[ \t]*```$/

/** Reads the code block around a trimmed message; null if there is none. Blocks inside a text are part of it. */
export function readFence(text: string): Fence | null {
  if (!text.startsWith('```')) return text.startsWith('~~~') || LAST_LINE.test(text) ? 'unreadable' : null
  const block = BLOCK.exec(text)
  if (block)
    return /^```/m.test(block[2]!) || block[2]!.endsWith('`') ? 'unreadable' : { language: block[1]!.toLowerCase(), inner: block[2]! }
  const inner = ONE_LINE.exec(text)?.[1]
  if (inner === undefined || inner.includes('```') || /^`|`$/.test(inner)) return 'unreadable'
  const language = LANGUAGE.exec(inner)
  return language ? { language: language[1]!.toLowerCase(), inner: inner.slice(language[0].length) } : { language: '', inner }
}

export const UNREADABLE_FENCE =
  'The message has a code block that is not the whole message, or one without an end, so nothing was run. Send only the command.'
