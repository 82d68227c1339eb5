/** A shell script of a package, read far enough to know which test runner its last command starts, and rewritten so that the runner reports. */
import type { CheckRunner } from '#contracts/entities/check.ts'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { isAssignment, options, skipOptions, withoutFolder } from '#server/shell/options.ts'
import { PREFIXES } from '#server/shell/prefixes.ts'

interface Word {
  text: string
  from: number
  to: number
}

/** Words of one command, and the operator after it; '' at the end. */
interface Command {
  words: Word[]
  operator: string
}

/** The command of a script that starts a test runner. */
export interface RunnerCommand {
  runner: CheckRunner
  text: string
  words: Word[]
  /** The index of the program, or of the file that an interpreter runs. */
  at: number
}

const OPERATOR = /^(?:&&|\|\||;|\||&(?!>))/
const REDIRECTION = /^(?:\d*(?:>>|>\||>&|<&|>|<(?!<))|&>>?)/
/** With these, a text is more than a list of commands. */
const KEYWORDS = new Set(['if', 'for', 'while', 'until', 'case', 'function', '!', '{'])

/** The commands of a script, in order; null if it has anything that is not read here. */
function commandsOf(text: string): Command[] | null {
  const commands: Command[] = [{ words: [], operator: '' }]
  let at = 0
  let isTarget = false
  while (at < text.length) {
    const rest = text.slice(at)
    const space = /^[ \t]+/.exec(rest)?.[0]
    const operator = OPERATOR.exec(rest)?.[0]
    const redirection = REDIRECTION.exec(rest)?.[0]
    if (space !== undefined) at += space.length
    else if (redirection !== undefined) {
      at += redirection.length
      isTarget = true
    } else if (operator !== undefined) {
      if (operator === '&') return null
      commands.at(-1)!.operator = operator
      commands.push({ words: [], operator: '' })
      at += operator.length
    } else {
      const word = wordAt(text, at)
      if (word === null) return null
      if (!isTarget) commands.at(-1)!.words.push(word)
      isTarget = false
      at = word.to
    }
  }
  const read = commands.filter(({ words }) => words.length > 0)
  return read.some(({ words }) => KEYWORDS.has(words[0]!.text)) ? null : read
}

function wordAt(text: string, from: number): Word | null {
  let word = ''
  let at = from
  for (let quote: string | null = null; at < text.length || quote !== null; at += 1) {
    const one = text[at]
    if (one === undefined) return null // the quote does not end
    if (quote !== null) {
      if (one === quote) quote = null
      else if (quote === '"' && (one === '`' || text.startsWith('$(', at))) return null
      else if (quote === '"' && one === '\\') word += text[(at += 1)] ?? ''
      else word += one
    } else if (one === '"' || one === "'") quote = one
    else if (one === '\\') word += text[(at += 1)] ?? ''
    else if (/[\s;&|<>]/.test(one)) break
    else if (/[`()\n]/.test(one) || text.startsWith('$(', at) || (one === '#' && at === from)) return null
    else word += one
  }
  return { text: word, from, to: at }
}

const SCRIPTS: readonly [RegExp, CheckRunner][] = [
  [/(?:^|\/)(?:jest|jest\.js|react-scripts|craco)$/, 'jest'],
  [/(?:^|\/)(?:_?mocha|_?mocha\.js)$/, 'mocha'],
  [/(?:^|\/)vitest(?:\.mjs)?$/, 'vitest'],
  [/(?:^|\/)bats$/, 'bats'],
]
const INTERPRETERS = new Set(['node', 'tsx', 'ts-node'])
const MANAGERS = new Set(['pnpm', 'yarn', 'bun'])
const MANAGER_WORDS = new Set(['run', 'exec', 'dlx', 'x', '--', '--silent', '-s'])

/** The runner that a command starts, and the index of its word; null if it starts none that is known. */
function runnerIn(words: readonly Word[]): { runner: CheckRunner; at: number } | null {
  const texts = words.map(({ text }) => text)
  let at = 0
  for (;;) {
    while (at < texts.length && isAssignment(texts[at]!)) at += 1
    const program = withoutFolder(texts[at] ?? '')
    const prefix = program === 'env' ? { assignments: true, values: '-u --unset -C --chdir' } : PREFIXES[program]
    if (prefix !== undefined) at = skipOptions(texts, at + 1, options(prefix.values ?? '')) + (prefix.skip ?? 0)
    else if (MANAGERS.has(program) && texts[at + 1] !== 'test')
      do at += 1
    while (MANAGER_WORDS.has(texts[at] ?? '')) // prettier-ignore
    else break
  }
  const program = texts[at]
  if (program === undefined) return null
  const known = SCRIPTS.find(([sign]) => sign.test(program))?.[1]
  if (known !== undefined) return /(?:react-scripts|craco)$/.test(program) && texts[at + 1] !== 'test' ? null : { runner: known, at }
  if (!INTERPRETERS.has(withoutFolder(program))) return null
  if (texts.includes('--test', at)) return { runner: 'node', at }
  const file = texts.findIndex((text, index) => index > at && SCRIPTS.some(([sign]) => text.includes('/') && sign.test(text)))
  return file === -1 ? null : { runner: SCRIPTS.find(([sign]) => sign.test(texts[file]!))![1], at: file }
}

/** The words after `npm run`, `npm test` or the like. */
const NPM_SCRIPT =
  /^(?:npm|pnpm|yarn)(?: (?:-s|--silent))*(?: (?:run|run-script)(?: (?:-s|--silent))* (?<named>[\w:.-]+)| (?<test>t|test))(?:$| -- )/
const MAX_DEPTH = 3

/** The runner command of a package's script, which may start another script of the package. Null: it goes by its exit code. */
export function runnerCommandOf(scripts: Readonly<Record<string, unknown>>, name: string, depth = 0): RunnerCommand | null {
  const text = scripts[name]
  if (typeof text !== 'string' || depth > MAX_DEPTH) return null
  const commands = commandsOf(text)
  if (commands === null) return null
  // an earlier command can fail, or be one of several runners, of which no report would tell
  const begin = commands.findLastIndex(({ operator }) => operator === '&&' || operator === ';') + 1
  const last = commands.slice(begin)
  const found = commands.flatMap(({ words }, index) => (runnerIn(words) === null ? [] : [index]))
  if (found.length === 1 && found[0]! >= begin) {
    const { words } = commands[found[0]!]!
    const { runner, at } = runnerIn(words)!
    return { runner, text, words, at }
  }
  if (found.length > 0 || last.length !== 1) return null
  const { named, test } = NPM_SCRIPT.exec(last[0]!.words.map((word) => word.text).join(' '))?.groups ?? {}
  const next = named ?? (test === undefined ? undefined : 'test')
  return next === undefined ? null : runnerCommandOf(scripts, next, depth + 1)
}

/** Changes to the words of a command. */
export interface Rewriting {
  /** Options of the project that would disagree with ours. `values`: those whose value may be the next word. */
  drop: { flags: readonly string[]; values: readonly string[] }
  /** Added after the program, or after all words. */
  add: { text: string; place: 'first' | 'last' }
  /** Added behind the command. */
  redirection?: string
}

/** The script with another command in it. */
export function rewritten({ text, words, at }: RunnerCommand, { drop, add, redirection = '' }: Rewriting): string {
  const edits: { from: number; to: number; text: string }[] = []
  const rest = words.slice(at + 1)
  const end = rest.findIndex((word) => word.text === '--')
  const own = end === -1 ? rest : rest.slice(0, end)
  for (let index = 0; index < own.length; index += 1) {
    const { text: word, from, to } = own[index]!
    const [name] = word.split('=', 1) as [string]
    const isValue = drop.values.some((one) => name === one || name.startsWith(`${one}.`))
    if (!isValue && !drop.flags.includes(name)) continue
    edits.push({ from, to, text: '' })
    const next = own[index + 1]
    if (isValue && !word.includes('=') && next !== undefined && !next.text.startsWith('-')) {
      edits.push({ from: next.from, to: next.to, text: '' })
      index += 1
    }
  }
  const place = (add.place === 'first' ? words[at]! : (own.at(-1) ?? words[at]!)).to
  edits.push({ from: place, to: place, text: ` ${add.text}` })
  if (redirection !== '') edits.push({ from: words.at(-1)!.to, to: words.at(-1)!.to, text: ` ${redirection}` })
  return edits
    .toSorted((a, b) => b.from - a.from || b.to - a.to)
    .reduce((script, edit) => script.slice(0, edit.from) + edit.text + script.slice(edit.to), text)
}

/**
 * A shell for npm that runs another text instead of a script, with whatever npm puts behind it, and lists scripts before and after
 * others that fail.
 */
export function scriptShell(change: { text: string; instead: string } | null, failures: string): string {
  const begin = `#!/bin/sh\n[ "$1" = -c ] || exec sh "$@"\n`
  const changed =
    change === null
      ? ''
      : `original=${quotedText(change.text)}\ncase $2 in\n"$original"*) unset npm_config_script_shell; exec sh -c ${quotedText(change.instead)}"\${2#"$original"}" ;;\nesac\n`
  return `${begin}${changed}case $npm_lifecycle_event in\npre*|post*) sh "$@"; code=$?; [ $code = 0 ] || printf '%s %s\\n' $code "$npm_lifecycle_event" >>${quotedText(failures)}; exit $code ;;\nesac\nexec sh "$@"\n`
}

const quotedText = (text: string): string => (text === '' ? "''" : shellWord(text))
