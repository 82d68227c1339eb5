/** A part of a message's text: plain, the replacement of a finding, or the mark of a cut. */
export type Piece = { kind: 'plain'; text: string } | { kind: 'replaced'; text: string; type: string } | { kind: 'cut'; text: string }

const CUT = /\[… \d+ characters cut …\]/

const escapeRegExp = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Splits a text at replacements and cuts. */
export function piecesOf(text: string, replacements: readonly { type: string; text: string }[]): Piece[] {
  const types = new Map(replacements.filter((one) => one.text !== '').map((one) => [one.text, one.type]))
  const alternatives = [...types.keys()].toSorted((a, b) => b.length - a.length).map(escapeRegExp)
  const pattern = new RegExp(`(${[CUT.source, ...alternatives].join('|')})`, 'u')
  return text.split(pattern).flatMap((part, index): Piece[] => {
    if (part === '') return []
    if (index % 2 === 0) return [{ kind: 'plain', text: part }]
    const type = types.get(part)
    return type === undefined ? [{ kind: 'cut', text: part }] : [{ kind: 'replaced', text: part, type }]
  })
}

/** The thinking and the answer of a message: `<think>` blocks come first. */
export function splitThinking(content: string): { thinking: string[]; answer: string } {
  const thinking: string[] = []
  const answer = content.replaceAll(/<think>\n?([\s\S]*?)\n?<\/think>\s*/g, (_, inner: string) => {
    thinking.push(inner)
    return ''
  })
  return { thinking, answer }
}
