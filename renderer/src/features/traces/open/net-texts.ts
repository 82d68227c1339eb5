import type { Step } from '#contracts/entities/step.ts'

/** A text that edits replaced, and what is in its place after all of them. */
export interface TextChange {
  before: string
  after: string
}

const countOf = (text: string, part: string): number => text.split(part).length - 1
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/**
 * The net change of a file from the texts that its edits replaced, for edits without a position in the file: an edit
 * inside the result of an earlier one is combined with it. Null if that is ambiguous.
 */
export function netTexts(steps: readonly Pick<Step, 'input'>[], changesOf: (input: unknown) => readonly TextChange[]): TextChange[] | null {
  const net: TextChange[] = []
  for (const { input } of steps) {
    const changes = changesOf(input)
    if (changes.length === 0) return null
    for (const change of changes) if (!add(net, change)) return null
  }
  return net.filter(({ before, after }) => before !== after)
}

function add(net: TextChange[], { before, after }: TextChange): boolean {
  // a file that is written again: what it was before is not recorded
  if (before === '') return net.length === 0 && net.push({ before, after }) > 0
  const inside = net.filter((one) => one.after.includes(before))
  const covered = net.filter((one) => one.after !== '' && before.includes(one.after) && !inside.includes(one))
  if (inside.length === 1 && covered.length === 0 && countOf(inside[0]!.after, before) === 1) {
    inside[0]!.after = inside[0]!.after.replace(before, () => after)
    return true
  }
  if (inside.length > 0) return false
  if (covered.some((one) => countOf(before, one.after) !== 1)) return false
  let original = before
  for (const one of covered) original = original.replace(one.after, () => one.before)
  // it touches lines of an earlier edit without containing all of it
  const rest = net.filter((one) => !covered.includes(one))
  const touched = linesOf(before)
  if (rest.some((one) => linesOf(one.after).some((line) => touched.includes(line) && !linesOf(one.before).includes(line)))) return false
  net.splice(0, net.length, ...rest, { before: original, after })
  return true
}
