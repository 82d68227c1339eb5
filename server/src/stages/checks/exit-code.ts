/** Whether the exit code of a check shows that its tests failed. */
import { isTestCommand, readCommand } from '#server/stages/scoring/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { FoundCheck } from '#contracts/entities/check.ts'
import type { ProjectFacts } from './facts.ts'

type Scripts = Readonly<Record<string, unknown>>

/** These test nothing. */
const AIDS = new Set('echo printf true : false exit cat tee head tail rm mkdir cp mv cd pushd popd export set unset sleep wait kill date ls pwd source . chmod touch'.split(' ')) // prettier-ignore
/** What these do with an exit code is not read. */
const UNREAD = /\b(?:case|function|trap|select)\b|\(\)\s*\{|\$\?|\$\{\?\}|PIPESTATUS/
/** What must not be found (`! grep …`) is a check as well. */
const NEGATION = /(?:^|[;&|(\n])[ \t\r]*!\s/
const NPM_SCRIPT = /^(?:npm|pnpm|yarn|bun)(?: -\S+)* (?:(?:run|run-script)(?: -\S+)* )?([\w:.-]+)/
const LISTS = new Set(['npm-run-all', 'run-s', 'run-p', 'npm-run-all2'])
const TESTING_NAME = /(?:^|[:_.-])(?:tests?|specs?|unit|e2e|integration|checks?)(?:$|[:_.-])/
const MAX_DEPTH = 3

/**
 * The tests of a shell text whose failure its exit code does not show; what is not understood counts as shown. Without a known test, the
 * last command is the test, unless `scripts` is null: then the text may do anything.
 */
export function silencedTests(text: string, scripts: Scripts | null = {}, depth = 0): string[] {
  const { commands, structure } = readCommand(text)
  if (depth > MAX_DEPTH || structure.hasIf || structure.hasLoop || UNREAD.test(text)) return []
  const started = commands.map((one) => ({ ...one, scripts: scriptsIn(one.words, scripts ?? {}) }))
  const isTest = ({ text: written, scripts: names }: (typeof started)[number]) =>
    isTestCommand(written) || names.some((name) => TESTING_NAME.test(name))
  const known = started.filter(isTest)
  const tests =
    known.length > 0 || scripts === null || NEGATION.test(text) ? known : started.filter(({ words }) => !AIDS.has(words[0] ?? '')).slice(-1)
  return [...new Set(tests.flatMap(({ text: written, status, scripts: names }) =>
    status?.by === 'exit' ? names.flatMap((name) => silencedTests(textOf(scripts?.[name]), scripts, depth + 1)) : [written],
  ))] // prettier-ignore
}

const textOf = (script: unknown): string => (typeof script === 'string' ? script : '')

/** The scripts of the package that a command starts. */
function scriptsIn(words: readonly string[], scripts: Scripts): string[] {
  const names = LISTS.has(words[0] ?? '') ? words.slice(1) : [NPM_SCRIPT.exec(words.join(' '))?.[1] ?? '']
  return names.map((name) => (name === 't' ? 'test' : name)).filter((name) => Object.hasOwn(scripts, name))
}

/** The texts of a script and of the scripts that it starts. */
export function reachedScripts(scripts: Scripts, name: string, depth = 0): string[] {
  const text = textOf(scripts[name])
  if (text === '' || depth > MAX_DEPTH) return []
  const names = readCommand(text).commands.flatMap(({ words }) => scriptsIn(words, scripts))
  return [text, ...[...new Set(names)].flatMap((one) => reachedScripts(scripts, one, depth + 1))]
}

const SCRIPT_FILE = /^(?:(?:bash|sh|dash|zsh|ksh) )?(?:\.\/)?([\w@./-]+)$/

/** The tests of a check whose failure its exit code does not show. */
export async function silencedOf({ runner, command, folder, because }: FoundCheck, { read }: ProjectFacts): Promise<string[]> {
  const inFolder = (name: string) => read(folder === '' ? name : `${folder}/${name}`)
  if (because.endsWith('package.json')) {
    const { scripts } = (jsonOf((await inFolder('package.json')) ?? '') ?? {}) as { scripts?: Scripts }
    return silencedTests(textOf(scripts?.['test']), scripts ?? {})
  }
  if (runner === 'make')
    return recipeLines((await read(because)) ?? '').flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : silencedTests(line)))
  if (runner !== 'command' && runner !== 'verify.sh' && runner !== 'npm') return []
  const file = SCRIPT_FILE.exec(command)?.[1]
  const text = file === undefined ? null : await inFolder(file)
  return silencedTests(text ?? command, text === null ? null : {})
}

/** Whether a line of a Makefile is the rule of its target `test`. */
export function isTestRule(line: string): boolean {
  const end = line.indexOf(':')
  return end > 0 && !/^[\s#]/.test(line) && line[end + 1] !== '=' && line.slice(0, end).split(/\s+/).includes('test')
}

/** The lines that make runs for its target `test`, without what only concerns make. */
function recipeLines(text: string): string[] {
  const lines = text.replaceAll(/\\\n/g, '').split('\n')
  const at = lines.findIndex(isTestRule)
  if (at === -1) return []
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line !== '' && !line.startsWith('\t'))
  return (end === -1 ? rest : rest.slice(0, end))
    .map((line) => line.trim().replace(/^[@+]*(-)?[@+]*/, '$1'))
    .filter((line) => line !== '' && !line.startsWith('#'))
}
