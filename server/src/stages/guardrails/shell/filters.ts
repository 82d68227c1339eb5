import { basename, dirname } from '#server/shell/posix-path.ts'
import { isKnown, type Text, UNKNOWN } from './text.ts'

/** Longer text is not computed. */
const LONGEST_READ = 64 * 1024

/** What `echo` prints. */
export function echoOutput(args: readonly string[]): string {
  const at = args.findIndex((word) => !/^-[neE]+$/.test(word))
  const flags = args.slice(0, at < 0 ? args.length : at).join('')
  const line = `${at < 0 ? '' : args.slice(at).join(' ')}${flags.includes('n') ? '' : '\n'}`
  return flags.lastIndexOf('e') > flags.lastIndexOf('E') ? unescape(line) : line
}

/** What `printf FORMAT ARG…` prints; the format is used again until no argument is left. */
export function printfOutput(format: string, args: readonly string[]): string {
  let out = ''
  let remainingArgs = args.slice()
  do {
    const before = remainingArgs.length
    out += format.replaceAll(
      /\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|.)|%(?:%|[-+ #0]*\d*(?:\.\d+)?[a-zA-Z])/gs,
      (token) => {
        if (token.startsWith('\\')) return unescape(token)
        if (token === '%%') return '%'
        const value = remainingArgs.shift() ?? ''
        const kind = token.at(-1)!
        if (kind === 'b') return unescape(value)
        if (kind === 'c') return value.slice(0, 1)
        if (kind !== 's' && kind !== 'q' && kind !== 'd' && kind !== 'i') return /^[\d.]+$/.test(value) ? UNKNOWN : value
        const precision = /\.(\d+)s$/.exec(token)
        return precision ? value.slice(0, Number(precision[1])) : value
      },
    )
    if (remainingArgs.length === before) remainingArgs = []
  } while (remainingArgs.length > 0 && out.length < LONGEST_READ)
  return out
}

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v', c: '' }),
)

/** Backslash escapes as `echo -e` and `printf` read them. */
function unescape(text: string): string {
  return text.replaceAll(/\\(0?[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|.)/gs, (_, code: string) => {
    if (/^[0-7]/.test(code)) return character(Number.parseInt(code, 8))
    if (/^[xuU]./.test(code)) return character(Number.parseInt(code.slice(1), 16))
    return LETTERS.get(code) ?? code
  })
}

const character = (code: number) => (code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '')

/** Filters that can turn any text into a command. Output that cannot be computed has the origin `derived`. */
const DECODERS = new Set(
  `base64 base32 basenc gbase64 openssl xxd uudecode gunzip zcat gzip bunzip2 bzcat xz xzcat zstd zstdcat unzip gpg awk gawk mawk nawk
  perl python python2 python3 ruby node php lua od hexdump bc dc jq`.split(/\s+/),
)
const REWRITERS = new Set(`tr sed rev cut grep egrep head tail sort uniq tac paste fold fmt column nl expand iconv dd tee awk`.split(/\s+/))

/** What a filter prints for its input. The output of an unknown filter counts as text of this machine. */
export function filterOutput(name: string, args: readonly string[], input: Text): Text {
  if (isKnown(input) && input.text.length <= LONGEST_READ) {
    const text = computeOutput(name, args, input.text)
    if (text !== null) return { text: text.replaceAll(UNKNOWN, ''), origin: input.origin }
  }
  const unknownText = (origin: Text['origin']): Text => ({ text: UNKNOWN, origin: input.origin === 'download' ? 'download' : origin })
  if (DECODERS.has(name)) return unknownText('derived')
  if (REWRITERS.has(name)) return unknownText(/[^\0\s]/.test(input.text) ? 'derived' : input.origin)
  return { text: UNKNOWN, origin: 'machine' }
}

function computeOutput(name: string, args: readonly string[], text: string): string | null {
  switch (name) {
    case 'base64':
    case 'gbase64':
      return args.every((arg) => /^-(?:d|D|di|id|-decode|i|-ignore-garbage)$/.test(arg)) && args.length > 0 ? decode(text, 'base64') : null
    case 'basenc':
      return args.includes('-d') && args.includes('--base64') ? decode(text, 'base64') : null
    case 'openssl':
      return args.includes('-d') && args.some((arg) => /^-?(?:base64|a)$/.test(arg)) ? decode(text, 'base64') : null
    case 'base32':
      return args.some((arg) => /^(?:-d|-D|--decode)$/.test(arg)) ? base32(text) : null
    case 'xxd':
      return args.some((arg) => /^-\w*r/.test(arg)) && args.some((arg) => /^-\w*p/.test(arg))
        ? decode(text.replaceAll(/\s/g, ''), 'hex')
        : null
    case 'rev':
      return args.length === 0
        ? text
            .split('\n')
            .map((line) => Array.from(line).toReversed().join(''))
            .join('\n')
        : null
    case 'tac':
      return args.length === 0 ? text.replace(/\n$/, '').split('\n').toReversed().join('\n') : null
    case 'tr':
      return translate(args, text)
    case 'sed':
      return substitute(args, text)
    case 'sort':
    case 'uniq':
    case 'cat':
    case 'head':
    case 'tail':
    case 'nohup':
      return text // the real output is at most this
    default:
      return null
  }
}

/** As Node's Buffer reads them: what is no character of the encoding is left out, and hex ends there. */
function decode(text: string, encoding: 'base64' | 'hex'): string {
  if (encoding === 'hex')
    return textOf(Array.from(/^(?:[\da-f]{2})*/i.exec(text)?.[0].match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
  const plain = text
    .replace(/=.*$/s, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/[^\w+/]/g, '')
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
  return textOf(Array.from(atob(whole), (char) => char.charCodeAt(0)))
}

const textOf = (bytes: readonly number[]): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))

function base32(text: string): string {
  const bits = Array.from(text.replaceAll(/[\s=]/g, ''), (char) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char.toUpperCase()).toString(2).padStart(5, '0'),
  ).join('')
  return textOf((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** `tr`: sets of characters, ranges and escapes, with `-d`, `-s` and `-c`. */
function translate(args: readonly string[], text: string): string | null {
  const flags = args.filter((arg) => /^-./.test(arg)).join('')
  const [from, to = ''] = args.filter((arg) => !/^-./.test(arg)).map(charactersOf)
  if (from === undefined || from === null || to === null || /c/i.test(flags)) return null
  if (flags.includes('d'))
    return Array.from(text)
      .filter((char) => !from.includes(char))
      .join('')
  if (to === '') return text
  return Array.from(text, (char) => {
    const at = from.lastIndexOf(char)
    return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? char)
  }).join('')
}

const CLASSES: readonly (readonly [string, string])[] = [
  ['[:upper:]', 'A-Z'],
  ['[:lower:]', 'a-z'],
  ['[:digit:]', '0-9'],
  ['[:space:]', ' \t\n\r'],
  ['[:blank:]', ' \t'],
]

/** The characters of a set of `tr`; null if it has an unknown class. */
function charactersOf(set: string): string | null {
  const expanded = CLASSES.reduce((all, [name, range]) => all.replaceAll(name, range), unescape(set))
  return expanded.includes('[:')
    ? null
    : expanded.replaceAll(/(.)-(.)/gs, (_, first: string, last: string) => {
        const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)]
        return high < low || high - low > 255
          ? ''
          : String.fromCharCode(...Array.from({ length: high - low + 1 }, (__, index) => low + index))
      })
}

/** `sed s/a/b/g` with plain text; null for other scripts. */
function substitute(args: readonly string[], text: string): string | null {
  const scripts = args.filter((arg) => arg !== '-e' && arg !== '-E' && arg !== '-r')
  let out = text
  for (const script of scripts) {
    const match = /^s([/|#,:@!])((?:(?!\1)[^\\])*)\1((?:(?!\1)[^\\])*)\1(g?)$/s.exec(script)
    if (!match || /[\\^$.*[\]+?(){}|]/.test(match[2]!) || match[2] === '' || match[3]!.includes('&')) return null
    out =
      match[4] === 'g'
        ? out.split(match[2]!).join(match[3])
        : out
            .split('\n')
            .map((line) => line.replace(match[2]!, () => match[3]!))
            .join('\n')
  }
  return scripts.length > 0 ? out : null
}

/** What commands print that only work on file names; null for other commands. */
export function printedPath(name: string, args: readonly string[]): string | null {
  const operands = args.filter((arg) => !arg.startsWith('-'))
  const [first] = operands
  if (name === 'mktemp') return `/tmp/${UNKNOWN}\n`
  if (name === 'which' || name === 'type' || name === 'whereis') return first === undefined ? null : `${basename(first)}\n`
  if (first === undefined || operands.some((word) => word.includes(UNKNOWN))) return null
  if (name === 'dirname') return `${dirname(first)}\n`
  if (name === 'basename') return `${basename(first, operands[1])}\n`
  if (name === 'realpath' || name === 'readlink' || name === 'cygpath') return `${first}\n`
  return null
}
