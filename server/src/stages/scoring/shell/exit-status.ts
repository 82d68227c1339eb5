import { LINE_CHARS } from '../verification/report.ts'
import type { AndOr, Command, PipelineNode, Statement, SyntaxNode } from 'unbash'

/** Where the status of a statement is visible although other statements follow it. */
interface CapturedStatus {
  status: { by: 'exit' } | { by: 'printed'; pattern: string }
  followed: false
  part?: number
}

/** `RUN; exit $?`, `RUN; rc=$?; …; exit $rc`, `RUN; echo "EXIT $?"`, and the same with `PIPESTATUS`. */
export function capturedStatus(statements: readonly Statement[], index: number): CapturedStatus | null {
  const next = simpleCommand(statements[index + 1]?.command)
  const last = simpleCommand(statements.at(-1)?.command)
  if (!next || !last) return null
  const assignment = next.name ? undefined : next.prefix.find((part) => part.type === 'Assignment')
  const variable = assignment ? /^(\w+)=(.+)$/s.exec(assignment.text) : null
  const direct = next === last ? (statusIn(wordTexts(last).join(' '), null)?.text ?? null) : null
  const source = variable ? statusIn(variable[2]!, null) : direct === null ? null : statusIn(direct, null)
  if (!source) return null
  const isExit = last.name?.value === 'exit'
  const name = variable ? variable[1]! : null
  const part = source.part === null ? {} : { part: source.part }
  if (isExit) return statusIn(wordTexts(last).join(' '), name) ? { status: { by: 'exit' }, followed: false, ...part } : null
  const pattern = printedPattern(last, name)
  return pattern === null ? null : { status: { by: 'printed', pattern }, followed: false, ...part }
}

/** The expression for a status in `text`: `$?`, `${PIPESTATUS[n]}`, or the variable that stores it. */
function statusIn(text: string, variable: string | null): { text: string; part: number | null } | null {
  const match = (
    variable === null ? /\$\?|\$\{\?\}|\$\{PIPESTATUS\[(\d+)\]\}|\$PIPESTATUS\b/ : new RegExp(String.raw`\$${variable}\b|\$\{${variable}\}`)
  ).exec(text)
  if (!match) return null
  return { text: match[0], part: match[1] !== undefined ? Number(match[1]) : match[0].includes('PIPESTATUS') ? 0 : null }
}

const wordTexts = (command: Command): string[] => command.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))

/** The last line that `echo` or `printf` prints, as a pattern with the status in its group. */
function printedPattern(command: Command, variable: string | null): string | null {
  const line = printedLine(command)
  if (line === null) return null
  const status = statusIn(line, variable)
  if (!status) return null
  const at = line.indexOf(status.text)
  const [before, after] = [literal(line.slice(0, at)), literal(line.slice(at + status.text.length))]
  return before === null || after === null ? null : `${before}(\\d+)${after}`
}

/** The last line that a simple `echo` or `printf` prints, as a pattern; null for other commands. */
export function echoPattern(node: SyntaxNode): string | null {
  const command = simpleCommand(node)
  const line = command ? printedLine(command) : null
  return line === null ? null : literal(line)
}

function printedLine(command: Command): string | null {
  const name = command.name?.value
  if (name !== 'echo' && name !== 'printf') return null
  const all = wordTexts(command)
  const words =
    name === 'echo'
      ? all.slice(
          Math.max(
            0,
            all.findIndex((word) => !/^-[neE]+$/.test(word)),
          ),
        )
      : all
  const [format = '', ...values] = words
  const text = name === 'echo' ? words.join(' ') : format.replace(/%[sd]/g, () => values.shift() ?? '')
  return (
    text
      .split(/\\n|\n/)
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? null
  )
}

/** Matching takes exponential time in the number of expansions. */
const MAX_EXPANSIONS = 2

/** Literal text as a pattern; expansions match anything. Null if the pattern would be too expensive. */
function literal(text: string): string | null {
  if (text.length > LINE_CHARS) return null
  const parts = text.split(/(?:\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`)+/)
  if (parts.length > MAX_EXPANSIONS + 1) return null
  return parts.map((part) => part.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)).join('.*')
}

/** Whether a command always fails: `exit 1`, `return 1`, `false`, or a group that ends with one of them. */
export function endsInFailure(node: SyntaxNode): boolean {
  if (node.type === 'BraceGroup' || node.type === 'Subshell') {
    const last = node.body.commands.at(-1)
    return last !== undefined && !last.background && endsInFailure(last.command)
  }
  const command = simpleCommand(node)
  const name = command?.name?.value
  if (name === 'false') return true
  return (name === 'exit' || name === 'return') && wordTexts(command!)[0] !== '0'
}

function simpleCommand(node: PipelineNode | AndOr | SyntaxNode | undefined): Command | null {
  if (node?.type === 'Pipeline') return node.commands.length === 1 && node.prefixes.length === 0 ? simpleCommand(node.commands[0]) : null
  if (node?.type === 'AndOr') return node.commands.length === 1 ? simpleCommand(node.commands[0]) : null
  return node?.type === 'Command' ? node : null
}
