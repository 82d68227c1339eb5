// An upper bound for the steps that the regex engine needs to search for a match, computed from the pattern.

/** An item of a sequence, and how often it may repeat; `most` is Infinity for an unlimited repetition. */
type Item = { least: number; most: number } & (
  | { kind: 'sign'; source: string }
  | { kind: 'place' } // ^, $, \b: matches no character
  | { kind: 'group'; choices: Item[][]; looks: boolean }
)
/** Steps to try an item at one position, and in how many ways it can match there. */
interface Cost {
  steps: number
  ways: number
}

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/u
const ESCAPE = /^\\(?:[pPu]\{[^}]*\}|u[0-9a-f]{4}(?:\\u[0-9a-f]{4})?|x[0-9a-f]{2}|c[a-z]|[^])/iu

/** Steps of a search in a text of `signs` characters. The pattern must be valid. */
export function searchSteps(pattern: string, signs: number): number {
  const matches = createMatches()
  const ofChoices = (choices: Item[][]): Cost => {
    const costs = choices.map(ofSequence)
    const ways = costs.map((cost) => cost.ways)
    const atMostOne = choices.every((one, index) => choices.slice(index + 1).every((other) => areExclusive(one, other)))
    return {
      steps: costs.reduce((sum, { steps }) => sum + steps, 1),
      ways: atMostOne ? Math.max(...ways) : ways.reduce((sum, count) => sum + count, 0),
    }
  }
  const ofSequence = (items: Item[]): Cost => {
    let [steps, ways] = [0, 1]
    for (const [index, item] of items.entries()) {
      const cost = ofItem(item, items.slice(index + 1))
      steps += ways * cost.steps
      ways *= cost.ways
    }
    return { steps, ways }
  }
  const ofItem = (item: Item, after: Item[]): Cost => {
    if (item.kind === 'place') return { steps: 1, ways: 1 }
    const once = item.kind === 'sign' ? { steps: 1, ways: 1 } : ofChoices(item.choices)
    if (item.kind === 'group' && item.looks) return { steps: once.steps, ways: 1 } // the engine does not backtrack into it
    const most = Math.min(item.most, Math.max(signs, item.least))
    if (once.ways > 1) {
      let ways = 0
      for (let count = item.least; count <= most; count += 1) ways += once.ways ** count
      return { steps: once.steps * ways * Math.max(1, most), ways }
    }
    return { steps: once.steps * most, ways: item.least === most || endsItself(item, after) ? 1 : most - item.least + 1 }
  }
  /** True if the following items cannot begin like another repetition, so that only one number of repetitions can match. */
  const endsItself = (item: Item, after: Item[]): boolean => {
    const [own, next] = [firstSigns([{ ...item, least: 1 }]), firstSigns(after)]
    return own !== null && next !== null && own.every((one) => next.every((other) => areDisjoint(one, other)))
  }
  const areExclusive = (one: Item[], other: Item[]): boolean => {
    for (const [index, left] of one.entries()) {
      const right = other[index]
      if (left.kind !== 'sign' || right?.kind !== 'sign' || [left.least, left.most, right.least, right.most].some((count) => count !== 1))
        return false
      if (areDisjoint(left.source, right.source)) return true
    }
    return false
  }
  const areDisjoint = (one: string, other: string): boolean => {
    if (/^\\[dsw]$/iu.test(one) && one !== other && one.toLowerCase() === other.toLowerCase()) return true // \s and \S
    const [known, source] = matches.all(one) === null ? [matches.all(other), one] : [matches.all(one), other]
    return known !== null && known.every((sign) => !matches.test(source, sign))
  }
  return signs * ofChoices(parse(pattern)).steps
}

/** Sources of the characters that can come first; null if unknown. */
function firstSigns(items: Item[]): string[] | null {
  const first = items.find(({ kind }) => kind !== 'place')
  if (first === undefined || first.kind === 'place' || first.least === 0) return null
  if (first.kind === 'sign') return [first.source]
  if (first.looks) return null
  const all = first.choices.map(firstSigns)
  return all.every((signs) => signs !== null) ? all.flat() : null
}

/** Finds which characters a source (`a`, `\d`, `[a-z]`) matches. */
function createMatches() {
  const matchers = new Map<string, RegExp>()
  const known = new Map<string, string[] | null>()
  const test = (source: string, sign: string): boolean => {
    let matcher = matchers.get(source)
    if (!matcher) matchers.set(source, (matcher = new RegExp(`^${source}$`, 'u')))
    return matcher.test(sign)
  }
  return {
    test,
    /** All characters; null if there can be several and not only ASCII. */
    all(source: string): string[] | null {
      let signs = known.get(source)
      if (signs === undefined) {
        if (/^[^\\[.]$/u.test(source)) signs = [source]
        else
          signs = /^(?:\\[^pPDWSsucx]|\[(?!\^)(?:[\0-\x5b\x5d-\x7f]|\\[^pPDWSsucx])*\])$/u.test(source)
            ? ASCII.filter((sign) => test(source, sign))
            : null
        known.set(source, signs)
      }
      return signs
    },
  }
}
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code))

function parse(pattern: string): Item[][] {
  let at = 0
  const take = (form: RegExp) => {
    const taken = form.exec(pattern.slice(at))
    at += taken?.[0].length ?? 0
    return taken
  }
  const choicesOf = (): Item[][] => {
    const choices: Item[][] = [[]]
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at += 1
        choices.push([])
      } else choices.at(-1)!.push({ ...bare(), ...counts() })
    }
    return choices
  }
  const bare = () => {
    const opened = take(/^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/u)
    if (opened) {
      const choices = choicesOf()
      at += 1 // the closing parenthesis
      return { kind: 'group' as const, choices, looks: /[=!]$/u.test(opened[0]) }
    }
    if (take(/^(?:[$^]|\\b)/iu)) return { kind: 'place' as const }
    return { kind: 'sign' as const, source: (take(ESCAPE) ?? take(/^\[(?:\\[^]|[^\]\\])*\]/u) ?? take(/^[^]/u)!)[0] }
  }
  const counts = (): { least: number; most: number } => {
    const quantifier = take(QUANTIFIER)
    if (!quantifier) return { least: 1, most: 1 }
    const [sign, least, range, most] = quantifier
    if (least === undefined) return { least: sign.startsWith('+') ? 1 : 0, most: sign.startsWith('?') ? 1 : Infinity }
    return { least: Number(least), most: range === undefined ? Number(least) : most === '' ? Infinity : Number(most) }
  }
  return choicesOf()
}
