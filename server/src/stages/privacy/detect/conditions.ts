import { CONDITIONS, ICD10 } from './lexicon.ts'
import type { Report } from './types.ts'

const ALL = new RegExp(CONDITIONS.source, 'giu')
/** Words behind a condition that belong to its name. */
const BEHIND =
  /^(?:['’]s(?= (?:disease|syndrome))|[ -](?:disorders?|diseases?|syndrome|failure|allergy|allergies|intolerance|positive|negative|mellitus|infection|deficiency|injury|type \d|typ \d|tipo \d|de type \d|de tipo \d|stage [IViv\d]+|in remission|exacerbation|with aura|[ab](?![\p{L}])))+/iu
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

const WINDOW = 120
/** Words of the condition list that mean other things as well: only a label makes them one. */
const DOUBTFUL =
  /^(?:stroke|hernia|angina|depressions?|herpes|als|ibs|aids|insomnia|vertigo|gout|obesity|influenza|tumou?r|cataract|lupus|pregnan\w*|anxiety|ansia|cancer|colitis|malaria|infarct\w*|penicillin\w*|peanut\w*|covid.*)$/i
const OF_PEOPLE =
  /\b(?:patient|pt|pat|admitted|discharged|diagnos\w+|dx|hx|pmh|suffer\w*|sick|treated|hospital\w*|clinic|ward|mother|father|son|daughter|wife|husband|child|brother|sister|he|she|they|his|her|i|my|i've|i'm|leave|doctor|dr|paciente|paziente|patientin)\b/i
/** Conditions on the line of a word of the clinic, within 120 characters behind it. */
export function clinicalAt(text: string, start: number, end: number, report: Report): void {
  if (/^icd/i.test(text.slice(start, end))) {
    const code = ICD10.exec(text.slice(end, end + 24))
    if (code !== null) report('medical_condition', 'icd', end + code.index, end + code.index + code[0].length, 0.75, true)
    return
  }
  const newline = text.indexOf('\n', end)
  const line = text.slice(end, Math.min(newline < 0 ? text.length : newline, end + WINDOW))
  const weak = /^(?:has|had|having|since|because|ill|treatment|symptoms|hospital)$/i.test(text.slice(start, end))
  if (weak && !OF_PEOPLE.test(text.slice(Math.max(0, start - 60), end))) return
  for (const { start: from, end: to } of conditionsIn(line)) {
    if (weak && DOUBTFUL.test(line.slice(from, to)) && !OF_PEOPLE.test(text.slice(Math.max(0, start - 60), start))) continue
    report('medical_condition', 'clinical', end + from, end + to, 0.7, true)
  }
}
