import { quoted } from '#server/adapters/tools/shell-words.ts'
import { options, skipOptions, type ValueOptions } from '#server/shell/options.ts'
import type { Session } from './session.ts'
import { UNKNOWN_TEXT, literalText, isKnown, NO_TEXT, type Text } from './text.ts'

/** For each interpreter the options that pass code, and the options with another value. */
const INTERPRETERS: ReadonlyMap<string, { code: RegExp; values: ValueOptions }> = new Map(
  Object.entries({
    python: { code: /^-\w*c$/, values: options('-W -X -m') },
    node: { code: /^-(?:e|p|pe|-eval|-print)$/, values: options('-r --require --import --loader --env-file') },
    deno: { code: /^eval$/, values: options('') },
    bun: { code: /^-(?:e|-eval)$/, values: options('') },
    perl: { code: /^-\w*[eE]$/, values: options('-I -M -m') },
    ruby: { code: /^-\w*e$/, values: options('-I -r') },
    php: { code: /^-r$/, values: options('-c -d') },
    lua: { code: /^-e$/, values: options('-l') },
    osascript: { code: /^-e$/, values: options('-l') },
    awk: { code: /(?!)/, values: options('-F -v -f --file') },
  }),
)
const AWKS = new Set('awk gawk mawk nawk'.split(' '))

/** Calls in other languages that pass a text to a shell, or a list of words to a program. */
const CALL =
  /(?:\b(?:system|popen|exec|execSync|execFile|execFileSync|execl|execvp|spawn|spawnSync|spawnlp|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|passthru|shell_exec|proc_open|sh|qx)\b|\bdo shell script\b)[\s(]*(?:(\[)\s*)?(?=["'`{/])/g
const REMOVAL = /\b(?:rmtree|rmSync|rmdirSync|removeSync|rm_rf|rm_r|remove_tree|remove_dir_all|removeall|rimraf|rmdir|rm)[\s(]+(?=["'`])/gi
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\])*)\1|\{([^{}]*)\}/y
const FORKS = /\bfork\b[^\n]{0,200}\bwhile\b|\bwhile\b[^\n]{0,200}\bfork\b/

/** Reads the code of an interpreter: from an option, a file written by this command, or standard input. Null if `name` is no interpreter. */
export function runCode(name: string, args: readonly Text[], input: Text, session: Session): Text | null {
  const interpreter = INTERPRETERS.get(AWKS.has(name) ? 'awk' : name === 'python2' ? 'python' : name)
  if (!interpreter) return null
  const words = args.map(({ text }) => text)
  const output: Text = { text: UNKNOWN_TEXT.text, origin: 'derived' }
  const codeOption = words.findIndex((word) => interpreter.code.test(word))
  const target = skipOptions(words, 0, interpreter.values)
  if (codeOption >= 0 && codeOption <= target) {
    readCode(args[codeOption + 1] ?? NO_TEXT, session)
    return output
  }
  if (AWKS.has(name)) {
    if (!words.includes('-f')) readCode(args[target] ?? NO_TEXT, session)
    return output
  }
  if (words.some((word) => /^-(?:-version|-help|V|v|h)$/.test(word))) return UNKNOWN_TEXT
  if (words.includes('-m') && (name === 'python' || name === 'python2')) return UNKNOWN_TEXT
  const file = args[target]
  if (file && file.text !== '-' && file.text !== '/dev/stdin') {
    const fileText = session.readFile(file.text)
    if (fileText) readCode(fileText, session)
    return UNKNOWN_TEXT
  }
  if (name !== 'deno' && name !== 'bun' && name !== 'osascript') readCode(input, session)
  return output
}

/** Follows the commands that the code passes to a shell, and the folders that it removes. */
function readCode(code: Text, session: Session): void {
  if (code.origin !== 'command' && code.origin !== 'machine') session.reportAction({ kind: 'script', origin: code.origin })
  if (!isKnown(code) && code.text.length < 2) return
  session.charge(code.text.length)
  if (FORKS.test(code.text)) session.reportAction({ kind: 'bomb' })
  for (const call of code.text.matchAll(CALL)) {
    const from = call.index + call[0].length
    const list = literals(code.text, from, call[1] === '[')
    if (list.length === 0) continue
    const isWords = call[1] === '[' || (list.length > 1 && !/\s/.test(list[0]!))
    session.inSubshell(() => session.runText(literalText(isWords ? list.map(quoted).join(' ') : list[0]!), NO_TEXT, []))
  }
  for (const backticks of code.text.matchAll(/`([^`\n]{1,2000})`/g))
    session.inSubshell(() => session.runText(literalText(backticks[1]!), NO_TEXT, []))
  for (const removal of code.text.matchAll(REMOVAL)) {
    const [path] = literals(code.text, removal.index + removal[0].length, false)
    if (path !== undefined) session.inSubshell(() => session.runText(literalText(`rm -rf -- ${quoted(path)}`), NO_TEXT, []))
  }
}

/** The string literals that start at a position: one, or all of a comma-separated list. */
function literals(code: string, from: number, isList: boolean): string[] {
  const out: string[] = []
  let at = from
  for (let remaining = 100; remaining > 0; remaining--) {
    LITERAL.lastIndex = at
    const match = LITERAL.exec(code)
    if (!match) break
    out.push((match[2] ?? match[3] ?? '').replaceAll(/\\(.)/gs, '$1'))
    const comma = /^\s*,\s*\[?\s*/.exec(code.slice(LITERAL.lastIndex, LITERAL.lastIndex + 40))
    at = LITERAL.lastIndex + (comma?.[0].length ?? 0)
    if (!comma && !isList) break
    if (!comma) break
  }
  return out
}
