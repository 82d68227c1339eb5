import { CONDITIONS } from './lexicon.ts'

const ALL = new RegExp(CONDITIONS.source, 'giu')
/** Words behind a condition that belong to its name. */
const BEHIND =
  /^(?:[ -](?:disorders?|diseases?|syndrome|failure|allergy|allergies|intolerance|positive|negative|mellitus|infection|deficiency|injury|type \d|typ \d|stage [IViv\d]+|in remission|exacerbation|with aura|[ab](?![\p{L}])))+/iu
/** Words before it that do. */
const BEFORE =
  /(?:(?:type|typ|stage|grade|stadium) [IVX\d]{1,3}|acute|chronic|severe|mild|moderate|major|minor|recurrent|congestive|familial|congenital|early|late|bilateral|left|right|akute?r?|chronische?r?|schwere?r?|aguda?|crónica?|cronica?|aiguë?|chronique|grave|\p{L}{3,}(?:al|ic|ive|ous|oid|ary|tory|gen|ogenic)|breast|lung|skin|colon|liver|brain|bone|blood|prostate|kidney|heart|nut|milk|egg|bee)(?:[ -])$/iu
const MOST_WORDS = 4
const LEADING = /^(?:[\p{L}'’-]{2,20} ){1,2}$/u
const SENTENCE =
  /\b(?:a|an|the|of|her|his|my|your|with|in|on|and|or|for|by|no|not|is|was|has|had|have|some|from|since|probable|possible|suspected|known|der|die|das|ein|eine|un|une|una|el|la|le|il|und|mit|von)\b/i

/** The conditions that a text names, with the words that belong to them: "stage II breast cancer", "type 2 diabetes". */
export function conditionsIn(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (const match of text.matchAll(ALL)) {
    let start = match.index
    for (let words = 0; words < MOST_WORDS; words += 1) {
      const before = BEFORE.exec(text.slice(Math.max(0, start - 30), start))
      if (before === null || /[\p{L}\p{N}]/u.test(text[start - before[0].length - 1] ?? ' ')) break
      start -= before[0].length
    }
    let end = match.index + match[0].length
    end += BEHIND.exec(text.slice(end, end + 40))?.[0].length ?? 0
    // the few words that lead up to it: "Hodgkin lymphoma"
    if (found.length === 0 && LEADING.test(text.slice(0, start)) && !SENTENCE.test(text.slice(0, start))) start = 0
    const last = found.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  return found
}
