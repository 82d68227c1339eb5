import type { DoubleQuotedChild, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { HOME } from '../paths.ts'
import { expandBraces } from './braces.ts'
import { type Lookup, parameterValue, valueOf } from './parameters.ts'
import { here, joined, NOTHING, type Text, worst } from './text.ts'
import { TooMuch } from './variables.ts'

/** What the words of a command are put together from. */
export interface Shell extends Omit<Lookup, 'expand'> {
  /** The folder that `~+` means; null if it is not known. */
  folder: string | null
  /** Runs a substitution; what it prints. */
  substitute(script: ParsedScript): Text
  /** A path under which a process substitution can be read or written. */
  pipe(script: ParsedScript, direction: '<' | '>'): string
}

/** A part of a word: unquoted ones are split at blanks, and elements of a list are words of their own. */
interface Piece {
  elements: readonly Text[]
  isQuoted: boolean
}

/** The words that the shell makes of one word. */
export function wordsOf(word: Word, shell: Shell): Text[] {
  const hasBraces = word.parts?.some(({ type }) => type === 'BraceExpansion')
  if (!hasBraces) return fields(pieces(word, shell), shell)
  shell.charge(word.text.length ** 2 / 8) // each brace is looked at from those before it
  const sources = expandBraces(word.text)
  if (!sources) throw new TooMuch()
  return sources.flatMap((source) => {
    shell.charge(source.length)
    const again = wordIn(source)
    return again ? fields(pieces(again, shell), shell) : []
  })
}

/** A word as one text: the value of an assignment, the target of a redirection. */
export const textOf = (word: Word, shell: Shell): Text => joined(pieces(word, shell).map(({ elements }) => joined(elements, ' ')))

/** The text of a here-document. */
export const hereText = (parts: readonly WordPart[], shell: Shell): Text =>
  joined(parts.flatMap((part) => quotedPiece(part as DoubleQuotedChild, shell).map(({ elements }) => joined(elements, ' ')))) // as in double quotes

/** Runs the substitutions in what is not a word: arithmetic, tests. */
export function runSubstitutions(node: SyntaxNode, shell: Shell): void {
  if (node.type === 'Script') shell.substitute(node)
  else forEachChild(node, (child) => runSubstitutions(child, shell))
}

function wordIn(source: string): Word | null {
  const command = parse(`: ${source}`).commands[0]?.command
  const found = command?.type === 'Command' ? command.suffix[0] : undefined
  return found?.type === 'Word' ? found : null
}

function pieces(word: Word, shell: Shell): Piece[] {
  const list = (word.parts ?? [{ type: 'Literal', value: word.value, text: word.text, pos: word.pos, end: word.end } as const]).flatMap(
    (part) => piece(part, shell),
  )
  const first = word.parts ? word.parts[0]! : { type: 'Literal', text: word.text }
  if (first.type === 'Literal' && first.text.startsWith('~')) return [tilde(list[0]!, shell), ...list.slice(1)]
  return list
}

function tilde(first: Piece, shell: Shell): Piece {
  const [, name, rest] = /^~([^/]*)(.*)$/s.exec(first.elements[0]!.text)!
  const folder = name === '' ? HOME : name === '+' ? (shell.folder ?? '.') : name === 'root' ? '/root' : `/home/${name}`
  return { elements: [here(folder + rest!)], isQuoted: true }
}

const quoted = (text: string): Piece => ({ elements: [here(text)], isQuoted: true })

function piece(part: WordPart, shell: Shell): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [quoted(part.value.replaceAll('\0', ''))]
    case 'Glob':
    case 'ExtendedGlob':
      return [quoted(part.type === 'Glob' ? part.text : '*')]
    case 'BraceExpansion':
      return [quoted(part.text)] // in an assignment or a redirection: not expanded
    case 'DoubleQuoted':
    case 'LocaleString':
      // quotes around nothing are a word
      return [quoted(''), ...part.parts.flatMap((inner) => quotedPiece(inner, shell))]
    case 'ProcessSubstitution':
      return part.script ? [quoted(shell.pipe(part.script, part.operator))] : []
    default:
      return quotedPiece(part, shell).map(({ elements }) => ({ elements, isQuoted: false }))
  }
}

/** The same inside double quotes, if nothing is split but lists. */
function quotedPiece(part: DoubleQuotedChild, shell: Shell): Piece[] {
  const { variables, positional } = shell
  const lookup: Lookup = { variables, positional, expand: (word) => textOf(word, shell), charge: (work) => shell.charge(work) }
  switch (part.type) {
    case 'Literal':
      return [quoted(part.value)]
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      const value = valueOf(name, lookup)
      return [{ elements: name === '@' ? value : [name === '*' ? joined(value, ' ') : (value[0] ?? NOTHING)], isQuoted: true }]
    }
    case 'ParameterExpansion': {
      const { value, isList } = parameterValue(part, lookup)
      return [{ elements: isList ? value : [value.length === 0 ? NOTHING : joined(value, ' ')], isQuoted: true }]
    }
    case 'CommandExpansion': {
      const output = part.script ? shell.substitute(part.script) : NOTHING
      return [{ elements: [{ ...output, text: withoutLastLines(output.text) }], isQuoted: true }]
    }
    case 'ArithmeticExpansion':
      runSubstitutions(part, shell)
      return [quoted('1')]
    default:
      return []
  }
}

function fields(list: readonly Piece[], shell: Shell): Text[] {
  const out: Text[] = []
  let open: Text | null = null
  const add = (text: Text) => (open = open ? { text: open.text + text.text, origin: worst([open.origin, text.origin]) } : text)
  const end = () => {
    if (open) out.push(open)
    open = null
  }
  const separators = shell.variables.get('IFS')[0]?.text ?? ' \t\n'
  for (const { elements, isQuoted } of list) {
    elements.forEach(({ text, origin }, index) => {
      shell.charge(text.length)
      if (index > 0) end()
      const parts = isQuoted ? [text] : splitAt(text, separators)
      parts.forEach((part, place) => {
        if (place > 0) end()
        if (isQuoted || part !== '') add({ text: part, origin })
      })
    })
  }
  end()
  return out
}

/** As a loop: an expression would try each run of line breaks. */
function withoutLastLines(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

function splitAt(text: string, separators: string): string[] {
  const out = ['']
  for (const char of text) {
    if (separators.includes(char)) {
      if (out.at(-1) !== '' || out.length === 1) out.push('')
    } else out[out.length - 1] += char
  }
  return out
}
