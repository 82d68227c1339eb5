import type { DoubleQuotedChild, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { HOME } from '../paths.ts'
import { expandBraces } from './braces.ts'
import { type Lookup, parameterValue, valueOf } from './parameters.ts'
import { literalText, joinTexts, NO_TEXT, type Text, worstOrigin } from './text.ts'
import { TooMuch } from './variables.ts'

/** What the words of a command depend on. */
export interface Shell extends Omit<Lookup, 'expand'> {
  /** The folder that `~+` means; null if it is not known. */
  folder: string | null
  /** Follows a substitution and returns what it prints. */
  substitute(script: ParsedScript): Text
  /** A path under which a process substitution can be read or written. */
  openPipe(script: ParsedScript, direction: '<' | '>'): string
}

/** A part of a word. Unquoted pieces are split at blanks; each element of a list becomes a separate word. */
interface Piece {
  elements: readonly Text[]
  isQuoted: boolean
}

/** The words that one word expands to. */
export function wordsOf(word: Word, shell: Shell): Text[] {
  const hasBraces = word.parts?.some(({ type }) => type === 'BraceExpansion')
  if (!hasBraces) return splitFields(piecesOf(word, shell), shell)
  shell.charge(word.text.length ** 2 / 8) // each brace is read again from every brace before it
  const sources = expandBraces(word.text)
  if (!sources) throw new TooMuch()
  return sources.flatMap((source) => {
    shell.charge(source.length)
    const expandedWord = parseWord(source)
    return expandedWord ? splitFields(piecesOf(expandedWord, shell), shell) : []
  })
}

/** A word as one text: the value of an assignment, the target of a redirection. */
export const textOf = (word: Word, shell: Shell): Text => joinTexts(piecesOf(word, shell).map(({ elements }) => joinTexts(elements, ' ')))

/** The text of a here-document. */
export const hereText = (parts: readonly WordPart[], shell: Shell): Text =>
  joinTexts(parts.flatMap((part) => quotedPieces(part as DoubleQuotedChild, shell).map(({ elements }) => joinTexts(elements, ' ')))) // as in double quotes

/** Follows the substitutions in a node that is not a word, such as arithmetic or a test. */
export function runSubstitutions(node: SyntaxNode, shell: Shell): void {
  if (node.type === 'Script') shell.substitute(node)
  else forEachChild(node, (child) => runSubstitutions(child, shell))
}

function parseWord(source: string): Word | null {
  const command = parse(`: ${source}`).commands[0]?.command
  const first = command?.type === 'Command' ? command.suffix[0] : undefined
  return first?.type === 'Word' ? first : null
}

function piecesOf(word: Word, shell: Shell): Piece[] {
  const pieces = (word.parts ?? [{ type: 'Literal', value: word.value, text: word.text, pos: word.pos, end: word.end } as const]).flatMap(
    (part) => piecesOfPart(part, shell),
  )
  const first = word.parts ? word.parts[0]! : { type: 'Literal', text: word.text }
  if (first.type === 'Literal' && first.text.startsWith('~')) return [expandTilde(pieces[0]!, shell), ...pieces.slice(1)]
  return pieces
}

function expandTilde(first: Piece, shell: Shell): Piece {
  const [, name, remainder] = /^~([^/]*)(.*)$/s.exec(first.elements[0]!.text)!
  const folder = name === '' ? HOME : name === '+' ? (shell.folder ?? '.') : name === 'root' ? '/root' : `/home/${name}`
  return { elements: [literalText(folder + remainder!)], isQuoted: true }
}

const quotedText = (text: string): Piece => ({ elements: [literalText(text)], isQuoted: true })

function piecesOfPart(part: WordPart, shell: Shell): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [quotedText(part.value.replaceAll('\0', ''))]
    case 'Glob':
    case 'ExtendedGlob':
      return [quotedText(part.type === 'Glob' ? part.text : '*')]
    case 'BraceExpansion':
      return [quotedText(part.text)] // in an assignment or a redirection: not expanded
    case 'DoubleQuoted':
    case 'LocaleString':
      // empty quotes are a word
      return [quotedText(''), ...part.parts.flatMap((inner) => quotedPieces(inner, shell))]
    case 'ProcessSubstitution':
      return part.script ? [quotedText(shell.openPipe(part.script, part.operator))] : []
    default:
      return quotedPieces(part, shell).map(({ elements }) => ({ elements, isQuoted: false }))
  }
}

/** Pieces of a part inside double quotes: only lists are split. */
function quotedPieces(part: DoubleQuotedChild, shell: Shell): Piece[] {
  const { variables, positional } = shell
  const lookup: Lookup = { variables, positional, expand: (word) => textOf(word, shell), charge: (work) => shell.charge(work) }
  switch (part.type) {
    case 'Literal':
      return [quotedText(part.value)]
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      const value = valueOf(name, lookup)
      return [{ elements: name === '@' ? value : [name === '*' ? joinTexts(value, ' ') : (value[0] ?? NO_TEXT)], isQuoted: true }]
    }
    case 'ParameterExpansion': {
      const { value, isList } = parameterValue(part, lookup)
      return [{ elements: isList ? value : [value.length === 0 ? NO_TEXT : joinTexts(value, ' ')], isQuoted: true }]
    }
    case 'CommandExpansion': {
      const output = part.script ? shell.substitute(part.script) : NO_TEXT
      return [{ elements: [{ ...output, text: withoutTrailingNewlines(output.text) }], isQuoted: true }]
    }
    case 'ArithmeticExpansion':
      runSubstitutions(part, shell)
      return [quotedText('1')]
    default:
      return []
  }
}

function splitFields(pieces: readonly Piece[], shell: Shell): Text[] {
  const out: Text[] = []
  let current: Text | null = null
  const add = (text: Text) =>
    (current = current ? { text: current.text + text.text, origin: worstOrigin([current.origin, text.origin]) } : text)
  const finishField = () => {
    if (current) out.push(current)
    current = null
  }
  const separators = shell.variables.get('IFS')[0]?.text ?? ' \t\n'
  for (const { elements, isQuoted } of pieces) {
    elements.forEach(({ text, origin }, index) => {
      shell.charge(text.length)
      if (index > 0) finishField()
      const parts = isQuoted ? [text] : splitAtSeparators(text, separators)
      parts.forEach((part, place) => {
        if (place > 0) finishField()
        if (isQuoted || part !== '') add({ text: part, origin })
      })
    })
  }
  finishField()
  return out
}

/** A regular expression would take quadratic time for text with many line breaks. */
function withoutTrailingNewlines(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

function splitAtSeparators(text: string, separators: string): string[] {
  const out = ['']
  for (const char of text) {
    if (separators.includes(char)) {
      if (out.at(-1) !== '' || out.length === 1) out.push('')
    } else out[out.length - 1] += char
  }
  return out
}
