import { lookup } from '#contracts/lookup.ts'

/**
 * The lines of a row for the second scan: without JSON escapes and without what tools write before each line. Its rules
 * differ from those of the gate (detect/line-prefixes.ts), so that neither hides a value from both.
 */

const NUMBER = String.raw`\d{1,7}`
/** Forms of what precedes a line. Neighbouring lines must have the same form. */
const FORMS: readonly RegExp[] = [
  /^(?:[^\t\n]{1,80}\t){0,2}[[(]?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d\S{0,12} {1,3}/,
  /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:\S{1,60} ){0,2}\S{1,60}: /,
  new RegExp(String.raw`^\s{0,12}(?:> {0,8})?${NUMBER}(?:→|\t| ?[│┃|] ?|[:-] ?)|^\s{2,12}${NUMBER} {1,2}`),
  /^\^?[0-9a-f]{7,40} [^()\n]{0,200}\([^()\n]{1,120}?\d\) ?/,
  new RegExp(String.raw`^(?:[\w^~/-]{1,40}:)?[^\s:]{1,200}?(?::${NUMBER}[:-](?:${NUMBER}:)?|-${NUMBER}-)`),
  /^[\w./@-]{1,60} {0,30}\| ?/,
  /^\[[^\]\n]{1,80}\][ :]{0,2}/,
  /^[- ]{0,3}(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|std(?:out|err) F)[: -]{1,3}(?:(?:root|[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}): ?)?/,
  /^- [\w.-]{1,60} -(?= )/,
  /^[\w./@-]{2,120}[./][\w./@-]{1,120}:/,
  /^ ?>[> ]{0,6}/,
  /^[+-](?=\S| {2})/,
]

/** The form of a line's prefix, and where it begins: a text may begin inside a JSON string. */
function prefixOf(line: string): { form: number; from: number } {
  const form = FORMS.findIndex((one) => one.test(line.slice(0, LONGEST_PREFIX)))
  const quote = form < 0 ? line.lastIndexOf('"', LONGEST_PREFIX) : -1
  return quote < 0
    ? { form, from: 0 }
    : { form: FORMS.findIndex((one) => one.test(line.slice(quote + 1, quote + 1 + LONGEST_PREFIX))), from: quote + 1 }
}
const LONGEST_PREFIX = 400

/** How many prefixes a line may have. */
const ROUNDS = 4

/** An escape at any depth of JSON; a path on Windows is left as it is. */
const ESCAPE = /(?<=^|[^A-Za-z]|\\[nrt])[A-Za-z]:(?:\\{1,4}[\w .-]{1,60}){1,10}|\\{1,7}([nrt"'/])/g
const CONTROL: Readonly<Record<string, string>> = lookup({ n: '\n', r: '\n', t: '\t' })

export function plainLines(row: string): string {
  const text = row.replaceAll(ESCAPE, (whole, letter: string | undefined) => (letter === undefined ? whole : (CONTROL[letter] ?? letter)))
  let lines = text.split('\n')
  for (let round = 0; round < ROUNDS; round += 1) {
    const prefixes = lines.map(prefixOf)
    const isPair = (at: number) => prefixes[at] !== undefined && prefixes[at].form >= 0 && prefixes[at].form === prefixes[at + 1]?.form
    if (!prefixes.some((_, at) => isPair(at))) break
    lines = lines.map((line, at) => {
      const { form, from } = prefixes[at]!
      return isPair(at) || isPair(at - 1) ? line.slice(0, from) + line.slice(from).replace(FORMS[form]!, '') : line
    })
  }
  return lines.join('\n')
}

const BEGIN = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/
const END = /-----END [A-Z ]{0,30}PRIVATE KEY/
const OTHER = /-----(?:BEGIN|END) (?![A-Z ]{0,30}PRIVATE KEY)/
/** A line of a key; it may begin or end inside a JSON string. */
const BODY =
  /^(?:[^\n]{0,60}"|[\s']{0,12})(?:(?=[^\n]{0,30}[a-z])(?=[^\n]{0,30}[A-Z])(?=[^\n]{0,60}\d)(?:[A-Za-z\d+/]{64}|[A-Za-z\d+/]{70}))(?:["',\\\s]|"[^\n]{0,60})?$/
const LONGEST = 200

/** How many private keys, or parts of one, are in the lines. */
export function keysIn(text: string): number {
  if (!text.includes('\n')) return 0
  let count = 0
  let bodies = 0
  let isKey = false
  let isOther = false
  const close = () => {
    if (bodies > (isKey ? 0 : 1) && !isOther) count += 1
    bodies = 0
    isKey = false
    isOther = false
  }
  for (const line of text.split('\n')) {
    if (line.includes('-----')) {
      const begins = BEGIN.test(line)
      if (begins) close()
      isKey ||= begins || END.test(line)
      isOther ||= OTHER.test(line)
      if (END.test(line) || line.includes('-----END')) close()
    } else if (line.length <= LONGEST && BODY.test(line)) bodies += 1
    else if (line.trim() !== '' && !/^[A-Z][\w-]{1,20}: |^[A-Za-z\d+/]{1,69}={0,2}$/.test(line.trim())) close()
  }
  close()
  return count
}
