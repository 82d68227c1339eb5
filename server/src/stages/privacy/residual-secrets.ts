/**
 * Secrets by context, for the second scan. These patterns match the context and check the value only roughly, while the
 * detectors of the gate mainly check the value. Neither may import the other, so that each finds what the other misses.
 * Rows are JSON, so a quote may be preceded by backslashes and a newline may be escaped.
 */

const QUOTE = String.raw`\\{0,7}["'\x60]`
const NAME = String.raw`(?:password|passwd|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key)`

/** The contexts listed in docs/privacy.md; the first group is the value. */
const FORMS: readonly (readonly [form: RegExp, isValue: (value: string) => boolean])[] = [
  // the name of a secret, a separator, a quoted text
  [
    new RegExp(String.raw`${NAME}[\w-]{0,12}(?:${QUOTE})?\s{0,2}(?:[:=]|=>|:=)\s{0,2}${QUOTE}([^"'\x60\\\s]{8,128})${QUOTE}`, 'gi'),
    isFreeValue,
  ],
  // the same without quotes, alone to the end of its line
  [
    new RegExp(
      String.raw`(?:^|[\n\s\"'\x60]|\\n)[A-Z][A-Z\d_]{0,40}(?:PASSWORD|PASSWD|PWD|SECRET|TOKEN|KEY)=([^"'\x60\\\s]{8,128})(?=\\|["'\x60\s]|$)`,
      'g',
    ),
    isFreeValue,
  ],
  // the value on the next line, or beside the name in a list of Kubernetes
  [
    new RegExp(
      String.raw`${NAME}[\w-]{0,12}(?:${QUOTE})?(?::[ \t]{0,2}|=\\?)?\n[ \t]{0,20}(?:value:[ \t]{0,4})?(?:${QUOTE})?([^"'\x60\\\s:=]{8,128})(?:${QUOTE})?(?=[\s}]|$)`,
      'gi',
    ),
    isMixed,
  ],
  // SQL
  [/\b(?:password|identified by)\s{1,2}'([^'\\\s]{6,128})'/gi, isFreeValue],
  // an XML element
  [/<(?:\w{1,20}:)?\w{0,20}(?:password|passwd|secret|token|apikey)>([^<\\\s]{6,128})<\//gi, isFreeValue],
  // .netrc
  [/\blogin[ \t]{1,4}[^\s\\]{1,64}(?:\\n|\s){1,12}password[ \t]{1,4}([^\s"'\\]{4,128})/g, (value) => !isStandInValue(value)],
  // a header that carries a token
  [
    /(?:\bauthorization|-token|-api-key|-auth-key|-access-key)["'\\]{0,4}\s?[:=]\s?["'\\]{0,4}(?:bearer |token |apikey )?([\w.~+/=-]{16,200})/gi,
    (value) => isFreeValue(value) && !/^(?:bearer|token|basic)$/i.test(value),
  ],
  // a long argument of letters and digits in a call, not a hash
  [new RegExp(String.raw`\w\(${QUOTE}([A-Za-z\d_-]{24,128})${QUOTE}\s?[,)]`, 'g'), isKeyLike],
  // a name and a password in a sentence
  [/\b[a-z][\w.+-]{1,39} \/ ([^\s"'\x60,;\\()]{8,64})(?=[\s"'\x60,;\\.)]|$)/g, isMixed],
]

/** Start and end of values in contexts of secrets. */
export function secretsByContext(text: string): (readonly [start: number, end: number])[] {
  const ranges = new Map<number, number>()
  for (const [form, isValue] of FORMS)
    for (const match of text.matchAll(form)) {
      const value = match[1]!
      const at = match.index + match[0].lastIndexOf(value)
      if (isValue(value) && !ranges.has(at)) ranges.set(at, at + value.length)
    }
  return [...ranges]
}

/** Placeholders: a label, a hidden value, a variable, a template. */
function isStandInValue(value: string): boolean {
  return /\[[A-Z][A-Z_]{2,}(?:_\d+)?\]|^[[<{$%]|\$\{|\{\{|\*{3}|\.{3}|x{4}|example|redacted|placeholder|changeme|your[-_]/i.test(value)
}

/** A literal: not a path, address, identifier or plain word. */
function isFreeValue(value: string): boolean {
  if (isStandInValue(value) || /^[./~#@:]|:\/\/|[(){}]|^[\w.-]+@|^\d+$|^[a-z]+(?:[._/:][a-zA-Z]+)+$/.test(value)) return false
  if (/^[A-Za-z]+$/.test(value)) return value.length >= 12 && isUnpronounceable(value)
  if (/^[a-z]{3,12}(?:-[a-z]{3,12}){2,7}$/.test(value))
    return !/(?:^|-)(?:password|passwd|token|secret|key|user|auth|login|reset|input|field|name|form|id|new|confirm)(?:-|$)/.test(value)
  return (
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[a-z]+(?:[-_.][a-z]+)*[-_.]?v?\d{1,4}$|^[A-Z\d]+(?:_[A-Z\d]+)+$|^[a-z]+(?:[A-Z][a-z]+)*\d{0,3}$/.test(value)
  )
}

/** Few vowels, or six consonants in a row. */
function isUnpronounceable(letters: string): boolean {
  const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0
  return vowels * 5 < letters.length || /[bcdfghjklmnpqrstvwxz]{6}/i.test(letters)
}

function isKeyLike(value: string): boolean {
  const figures = value.match(/\d/g)?.length ?? 0
  return (
    figures >= 4 &&
    /[a-z]/.test(value) &&
    !/^[\da-f-]+$/i.test(value) &&
    !/[a-z]{7}|_[a-z]+_|-[a-z]+-/.test(value) &&
    !isStandInValue(value)
  )
}

function isMixed(value: string): boolean {
  return (
    /\d/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z!#$%^&*@]/.test(value) &&
    !/^[A-Z]?[a-z]+[-_.]?\d{1,4}$|^[\w.-]+\.[a-z]{2,4}$|[/[\]{}<>=]/.test(value) &&
    !isStandInValue(value)
  )
}
