import { quoted } from '#server/adapters/tools/shell-words.ts'
import { options, skipOptions, type ValueOptions } from '#server/shell/options.ts'
import type { Session } from './session.ts'
import { elsewhere, here, isKnown, NOTHING, type Text } from './text.ts'

/** Interpreters: the options that hand them code, and those with another value. */
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

/** Calls of other languages that hand a text to a shell, or a list of words to a program. */
const CALL =
  /(?:\b(?:system|popen|exec|execSync|execFile|execFileSync|execl|execvp|spawn|spawnSync|spawnlp|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|passthru|shell_exec|proc_open|sh|qx)\b|\bdo shell script\b)[\s(]*(?:(\[)\s*)?(?=["'`{/])/g
const REMOVAL = /\b(?:rmtree|rmSync|rmdirSync|removeSync|rm_rf|rm_r|remove_tree|remove_dir_all|removeall|rimraf|rmdir|rm)[\s(]+(?=["'`])/gi
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\])*)\1|\{([^{}]*)\}/y
const FORKS = /\bfork\b[^\n]{0,200}\bwhile\b|\bwhile\b[^\n]{0,200}\bfork\b/

/** Code of an interpreter: given with an option, in a file of this command, or as standard input. Null: it is not an interpreter. */
export function runCode(name: string, args: readonly Text[], input: Text, session: Session): Text | null {
  const interpreter = INTERPRETERS.get(AWKS.has(name) ? 'awk' : name === 'python2' ? 'python' : name)
  if (!interpreter) return null
  const words = args.map(({ text }) => text)
  const output: Text = { text: elsewhere.text, origin: 'derived' }
  const given = words.findIndex((word) => interpreter.code.test(word))
  const target = skipOptions(words, 0, interpreter.values)
  if (given >= 0 && given <= target) {
    read(args[given + 1] ?? NOTHING, session)
    return output
  }
  if (AWKS.has(name)) {
    if (!words.includes('-f')) read(args[target] ?? NOTHING, session)
    return output
  }
  if (words.some((word) => /^-(?:-version|-help|V|v|h)$/.test(word))) return elsewhere
  if (words.includes('-m') && (name === 'python' || name === 'python2')) return elsewhere
  const file = args[target]
  if (file && file.text !== '-' && file.text !== '/dev/stdin') {
    const known = session.readFile(file.text)
    if (known) read(known, session)
    return elsewhere
  }
  if (name !== 'deno' && name !== 'bun' && name !== 'osascript') read(input, session)
  return output
}

/** Finds texts and lists of words that the code passes to a shell, and folders that it removes. */
function read(code: Text, session: Session): void {
  if (code.origin !== 'here' && code.origin !== 'elsewhere') session.reportAct({ kind: 'script', origin: code.origin })
  if (!isKnown(code) && code.text.length < 2) return
  session.charge(code.text.length)
  if (FORKS.test(code.text)) session.reportAct({ kind: 'bomb' })
  for (const found of code.text.matchAll(CALL)) {
    const from = found.index + found[0].length
    const list = literals(code.text, from, found[1] === '[')
    if (list.length === 0) continue
    const isWords = found[1] === '[' || (list.length > 1 && !/\s/.test(list[0]!))
    session.apart(() => session.runText(here(isWords ? list.map(quoted).join(' ') : list[0]!), NOTHING, []))
  }
  for (const backticks of code.text.matchAll(/`([^`\n]{1,2000})`/g)) session.apart(() => session.runText(here(backticks[1]!), NOTHING, []))
  for (const found of code.text.matchAll(REMOVAL)) {
    const [path] = literals(code.text, found.index + found[0].length, false)
    if (path !== undefined) session.apart(() => session.runText(here(`rm -rf -- ${quoted(path)}`), NOTHING, []))
  }
}

/** Literals from a place on: one, or those of a list with commas between. */
function literals(code: string, from: number, isList: boolean): string[] {
  const out: string[] = []
  let at = from
  for (let left = 100; left > 0; left--) {
    LITERAL.lastIndex = at
    const found = LITERAL.exec(code)
    if (!found) break
    out.push((found[2] ?? found[3] ?? '').replaceAll(/\\(.)/gs, '$1'))
    const comma = /^\s*,\s*\[?\s*/.exec(code.slice(LITERAL.lastIndex, LITERAL.lastIndex + 40))
    at = LITERAL.lastIndex + (comma?.[0].length ?? 0)
    if (!comma && !isList) break
    if (!comma) break
  }
  return out
}
