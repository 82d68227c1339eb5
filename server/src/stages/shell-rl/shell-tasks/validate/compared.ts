import type { Command, ParsedScript, SyntaxNode, TestExpression, Word, WordPart } from 'unbash'
import { forEachChild, parse } from 'unbash'

/** The texts and files that a check compares the state with. */
export interface Compared {
  /** Texts in the check. `from`: files that it searches for the text and that may contain it from the start. */
  texts: { text: string; from: string[] }[]
  /** Files that it compares with completely. */
  files: string[]
  /** All words of the check without expansions. */
  words: string[]
}

/** Shorter texts occur in many files by chance. */
const MIN_CHARACTERS = 8
const EQUAL = new Set(['=', '==', '-eq', '=~'])
const GREPS = new Set(['grep', 'egrep', 'fgrep'])
const GREP_VALUES = new Set(['-A', '-B', '-C', '-m', '-f', '-d', '-D'])
const COMPARERS = new Set(['cmp', 'diff', 'comm'])
const PRINTERS = new Set(['echo', 'printf'])

/** Parses a check as Bash. If that fails, all its quoted texts count as compared. */
export function comparedBy(check: string): Compared {
  try {
    const script = parse(check)
    if (script.errors === undefined || script.errors.length === 0) return read(script)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested too deeply to parse
  }
  const quoted = [...check.matchAll(/'([^']*)'|"([^"$`\\]*)"/g)].map(([, single, double]) => single ?? double ?? '')
  return { texts: quoted.flatMap((text) => needle(text, [])), files: [], words: check.split(/[\s'"]+/).filter(Boolean) }
}

interface Position {
  isNegated: boolean
  /** Inside `$( )` or `<( )`, where its output is used. */
  isCaptured: boolean
  /** Whether its output goes into a pipe. */
  isPiped: boolean
}

function read(script: ParsedScript): Compared {
  const values = assignmentsIn(script)
  const found: Compared = { texts: [], files: [], words: [] }
  const add = (text: string | null, from: string[] = []) => {
    if (text !== null) found.texts.push(...needle(text, from))
  }
  const plain = (word: Word): string | null => literal(word) ?? values.get(/^"?\$\{?(\w+)\}?"?$/.exec(word.text)?.[1] ?? '') ?? null

  const compare = (left: Word, operator: string, right: Word, isNegated: boolean) => {
    const isEqual = isNegated ? operator === '!=' : EQUAL.has(operator)
    if (!isEqual) return
    for (const [word, other] of [
      [left, right],
      [right, left],
    ] as const) {
      add(plain(word), pathsOf(other))
      const shown = /^"?\$\((?:cat\s+|<\s*)(\/[^\s)"'$]+)\)"?$/.exec(word.text)?.[1]
      if (shown !== undefined) found.files.push(shown)
    }
  }
  const test = (expression: TestExpression, isNegated: boolean): void => {
    if (expression.type === 'TestBinary') compare(expression.left, expression.operator, expression.right, isNegated)
    else if (expression.type === 'TestLogical') for (const one of expression.operands) test(one, isNegated)
    else if (expression.type === 'TestNot') test(expression.operand, isNegated !== (expression.negations.length % 2 === 1))
    else if (expression.type === 'TestGroup') test(expression.expression, isNegated)
  }
  const command = (node: Command, place: Position) => {
    const name = node.name === undefined ? '' : (literal(node.name) ?? '').replace(/^.*\//, '')
    const words = node.suffix.filter((one): one is Word => one.type === 'Word')
    if (name === '[' || name === 'test')
      words.forEach((word, at) => {
        const [left, right] = [words[at - 1], words[at + 1]]
        if (left && right) compare(left, word.text, right, place.isNegated !== (words[at - 2]?.text === '!'))
      })
    else if (GREPS.has(name) && !place.isNegated && !place.isCaptured) {
      const { patterns, files } = grepWords(words.map((word) => plain(word) ?? ''))
      for (const pattern of patterns) add(withoutSyntax(pattern), files)
    } else if (COMPARERS.has(name)) found.files.push(...words.flatMap((word) => literal(word) ?? []).filter((one) => one.startsWith('/')))
    else if (PRINTERS.has(name) && (place.isCaptured || place.isPiped)) {
      for (const word of words) add(plain(word))
      add(outputOf(name, words.map(plain)))
    }
    for (const redirect of node.redirects) {
      if (redirect.type === 'HereString' && redirect.target) add(plain(redirect.target))
      if (redirect.type === 'HereDoc') add(redirect.body.text.replace(/\n$/, ''))
    }
  }
  const visit = (node: SyntaxNode, place: Position): void => {
    if (node.type === 'Word' && !node.text.includes('$')) found.words.push(node.value)
    const inside = { ...place }
    if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') {
      if (node.script) visit(node.script, { isNegated: false, isCaptured: true, isPiped: false })
      return
    }
    if (node.type === 'Command') command(node, place)
    else if (node.type === 'TestCommand') test(node.expression, place.isNegated)
    else if (node.type === 'Case') for (const { pattern } of node.items) for (const word of pattern) add(plain(word))
    else if (node.type === 'Pipeline') {
      const isNegated = place.isNegated !== (node.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1)
      node.commands.forEach((one, at) => visit(one, { ...place, isNegated, isPiped: at < node.commands.length - 1 }))
      return
    }
    forEachChild(node, (child) => visit(child, inside))
  }
  visit(script, { isNegated: false, isCaptured: false, isPiped: false })
  return found
}

const needle = (text: string, from: string[]) => (text.trim().length >= MIN_CHARACTERS ? [{ text: text.trim(), from }] : [])

/** The value of a word; null if it contains expansions. */
function literal(word: Word): string | null {
  const isPlain = (part: WordPart): boolean =>
    part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted' || (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal')) // prettier-ignore
  return word.parts === undefined || word.parts.every(isPlain) ? word.value : null
}

function assignmentsIn(script: ParsedScript): Map<string, string> {
  const values = new Map<string, string>()
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment' && node.value.type === 'Word') {
      const value = literal(node.value)
      if (value !== null) values.set(node.name, value)
    }
    forEachChild(node, visit)
  }
  visit(script)
  return values
}

function grepWords(words: readonly string[]): { patterns: string[]; files: string[] } {
  const patterns: string[] = []
  const others: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    if (word === '-e' || word === '--regexp') patterns.push(words[++at] ?? '')
    else if (word.startsWith('--regexp=')) patterns.push(word.slice(9))
    else if (GREP_VALUES.has(word)) at += 1
    else if (word === '--') {
      others.push(...words.slice(at + 1))
      break
    } else if (!/^-./.test(word)) others.push(word)
    else if (/^-[a-zA-Z]*e$/.test(word)) patterns.push(words[++at] ?? '')
  }
  if (patterns.length === 0) patterns.push(...others.splice(0, 1))
  return { patterns, files: others }
}

/** Approximately the text that a pattern matches: without anchors and escapes. */
const withoutSyntax = (pattern: string): string =>
  pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\\([^\w])/g, '$1')

/** Files that the command substitution of a word reads. */
const pathsOf = ({ text }: Word): string[] => (text.includes('$(') ? (text.match(/\/[^\s)"'$|;&<>]+/g) ?? []) : [])

/** The output of `echo` or a simple `printf`; null if it is not known. */
function outputOf(name: string, words: readonly (string | null)[]): string | null {
  const knownWords = words.filter((word): word is string => word !== null)
  if (knownWords.length !== words.length || knownWords.length === 0) return null
  if (name === 'echo') return knownWords.filter((word) => !/^-[neE]+$/.test(word)).join(' ')
  const [format, ...values] = knownWords
  const unescaped = format!.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t')
  if (values.length === 0) return unescaped.includes('%') ? null : unescaped
  return unescaped === '%s\n' || unescaped === '%s' ? values.join(unescaped.slice(2)) : null
}
