import path from 'node:path'
import type { ParsedScript, SyntaxNode, Statement, Command, PipelineNode, Pipeline, AndOr } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { withoutWrappers, type Bare, type ShellString } from '../verification/wrappers.ts'
import { capturedStatus, echoPattern, endsInFailure } from './exit-status.ts'

/**
 * Where the exit status of a command is visible: it is that of the whole text, or the last line of the
 * output prints it (`pattern` with the number in its group), or the last line is one of two markers.
 */
export type Status = { by: 'exit' } | { by: 'printed'; pattern: string } | { by: 'marks'; passed: string | null; failed: string } | null

/** A simple command of a shell text: its words after assignments and redirections, with quotes resolved. */
interface SimpleCommand {
  words: string[]
  /** As written, without a trailing redirection or here-document. */
  text: string
  /** Without its wrappers. */
  bare: Bare
  status: Status
  /** Followed by commands that run only if it succeeds, so that a failure of the whole may be theirs. */
  followed: boolean
  /** The folder after `cd`, relative to the initial folder; null if unknown. */
  folder: string | null
}

export interface Structure {
  hasIf: boolean
  hasLoop: boolean
  hasPipeline: boolean
  hasList: boolean
}

/** The result of one walk over the syntax tree of a shell text. */
interface CommandReading {
  /** Words of the first command if it is simple; null for a compound command and for text that does not parse. */
  opening: string[] | null
  structure: Structure
  /**
   * All simple commands in order, including those in substitutions, and those of strings passed to a shell in
   * place of that command; other quoted text and here-documents are not read.
   */
  commands: SimpleCommand[]
}

const NO_STRUCTURE: Structure = { hasIf: false, hasLoop: false, hasPipeline: false, hasList: false }
const MAX_NESTING = 40
const UNREADABLE: CommandReading = { opening: null, structure: NO_STRUCTURE, commands: [] }

/** Reads a shell text with a Bash grammar. Text that does not parse has no structure and no commands. */
export function readCommand(text: string): CommandReading {
  try {
    const script = parse(text)
    const reader = new Reader(text)
    reader.script(script, { status: { by: 'exit' }, followed: false })
    return reader.failed ? UNREADABLE : { opening: openingWords(script), structure: reader.structure, commands: reader.commands }
  } catch (error) {
    // Words are parsed lazily, so too deep nesting fails here: text that does not parse.
    if (error instanceof RangeError) return UNREADABLE
    throw error
  }
}

function openingWords(script: ParsedScript): string[] | null {
  let node: SyntaxNode | undefined = script.commands[0]?.command
  if (node?.type === 'AndOr') node = node.commands[0]
  if (node?.type === 'Pipeline' && node.prefixes.length === 0) node = node.commands[0]
  return node?.type === 'Command' && node.name ? wordsOf(node) : null
}

function wordsOf(command: Command): string[] {
  if (!command.name) return []
  return [command.name.value, ...command.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))]
}

/** What a command inherits from its context. */
interface Place {
  status: Status
  followed: boolean
  /** `PIPESTATUS[n]` was stored: the status is that of this part of the pipeline. */
  part?: number
}
const NOWHERE: Place = { status: null, followed: false }

/** What a subshell inherits and cannot pass back. */
interface ShellState {
  pipefail: boolean
  errexit: boolean
  folder: string | null
}

/** One walk in source order. Its only state besides the results is that of the shell. */
class Reader {
  readonly structure: Structure = { ...NO_STRUCTURE }
  readonly commands: SimpleCommand[] = []
  failed = false
  private source: string
  private state: ShellState
  private depth: number

  constructor(source: string, state: ShellState = { pipefail: false, errexit: false, folder: '' }, depth = 0) {
    this.source = source
    this.state = state
    this.depth = depth
  }

  script(script: ParsedScript, place: Place): void {
    // substitutions are parsed lazily, each over the rest of the text: hostile nesting would be quadratic
    if (script.errors?.length || this.depth > MAX_NESTING) this.failed = true
    if (this.failed) return
    this.depth++
    const outer = this.source
    this.source = script.source ?? outer // escaped backticks: positions below index the decoded text
    this.list(script.commands, place)
    this.source = outer
    this.depth--
  }

  private list(statements: readonly Statement[], place: Place): void {
    statements.forEach(({ command, background }, index) => {
      const isLast = index === statements.length - 1
      if (background) return this.inSubshell(() => this.joined(command, NOWHERE))
      if (isLast) return this.joined(command, place)
      const kept = place.status?.by === 'exit' ? capturedStatus(statements, index) : null
      if (kept) return this.joined(command, kept)
      this.joined(command, this.state.errexit ? { ...place, followed: true } : NOWHERE)
    })
  }

  private joined(node: PipelineNode | AndOr, place: Place): void {
    if (node.type !== 'AndOr') return this.pipeline(node, place)
    const { commands, operators } = node
    if (operators.length > 0) this.structure.hasList = true
    const lastOr = operators.lastIndexOf('||')
    const nextOrs = nextOr(operators)
    // operator k follows command k
    commands.forEach((command, index) => {
      const or = nextOrs[index] ?? -1
      const followed = place.followed || operators[index] === '&&'
      if (or === -1) return this.pipeline(command, { ...place, followed })
      const isLastOr = lastOr === or
      if (isLastOr && endsInFailure(commands.at(-1)!))
        return this.pipeline(command, { ...place, followed: place.followed || (or > index && followed) })
      const failed = place.status?.by === 'exit' && isLastOr && or === operators.length - 1 ? echoPattern(commands[or + 1]!) : null
      if (failed === null) return this.pipeline(command, NOWHERE)
      const passed = or > index ? echoPattern(commands[or]!) : null
      this.pipeline(command, { status: { by: 'marks', passed, failed }, followed: or > index + 1 })
    })
  }

  private pipeline(node: PipelineNode, { part, ...place }: Place): void {
    if (node.type !== 'Pipeline') return this.visit(node, place)
    const isPiped = node.operators.length > 0
    if (isPiped) this.structure.hasPipeline = true
    const inside = isNegated(node) ? NOWHERE : place
    const { pipefail } = this.state
    node.commands.forEach((command, index) => {
      const decides = part === undefined ? pipefail || index === node.commands.length - 1 : index === part
      if (isPiped) this.inSubshell(() => this.visit(command, decides ? inside : NOWHERE))
      else this.visit(command, inside)
    })
  }

  private inSubshell(work: () => void): void {
    const before = { ...this.state }
    work()
    this.state = before
  }

  private visit(node: SyntaxNode, place: Place): void {
    switch (node.type) {
      case 'Command':
        return this.simple(node, place)
      case 'AndOr':
      case 'Pipeline':
        return this.joined(node, place)
      case 'Statement':
        return this.list([node], place)
      case 'CompoundList':
        return this.list(node.commands, place)
      case 'Script':
        return this.inSubshell(() => this.script(node, NOWHERE))
      case 'Subshell':
        return this.inSubshell(() => this.list(node.body.commands, place))
      case 'BraceGroup':
        return this.list(node.body.commands, place)
      case 'Redirected':
        this.visit(node.command, place)
        for (const redirect of node.redirects) this.visit(redirect, NOWHERE)
        return
      case 'If':
        this.structure.hasIf = true
        return this.children(node)
      case 'For':
      case 'ArithmeticFor':
      case 'While':
      case 'Select':
        this.structure.hasLoop = true
        return this.children(node)
      case 'HereDocBody':
        return // here-document bodies are not read
      default:
        return this.children(node)
    }
  }

  /** Nested commands: a case arm, a function body, a coprocess, a substitution in a word. */
  private children(node: SyntaxNode): void {
    forEachChild(node, (child) => this.visit(child, NOWHERE))
  }

  private simple(node: Command, place: Place): void {
    if (node.name) {
      const words = wordsOf(node)
      const bare = withoutWrappers(words)
      if ('script' in bare) this.string(bare, place)
      else {
        this.commands.push({
          words,
          bare,
          text: this.textOf(node),
          status: place.status,
          followed: place.followed,
          folder: this.state.folder,
        })
        this.setOptions(words)
        this.changeFolder(words)
      }
    }
    this.children(node)
  }

  /** Text passed to a shell is read instead of the command, like a subshell; its structure does not count. */
  private string({ script, pipefail, errexit }: ShellString, place: Place): void {
    const reader = new Reader(script, { ...this.state, pipefail, errexit }, this.depth + 1)
    reader.script(parse(script), place)
    if (!reader.failed) this.commands.push(...reader.commands)
  }

  private textOf(node: Command): string {
    const written = node.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment')
    const start = node.prefix.find((part) => part.type === 'Assignment')?.pos ?? node.name!.pos
    return this.source.slice(start, written.at(-1)?.end ?? node.name!.end)
  }

  /** `set -e`, `set -o pipefail`, also as `set -euo pipefail`; `+` unsets them. */
  private setOptions(words: readonly string[]): void {
    if (words[0] !== 'set') return
    words.forEach((word, index) => {
      const on = word.startsWith('-')
      if (/^[-+][a-zA-Z]*e/.test(word)) this.state.errexit = on
      const named = /^[-+][a-zA-Z]*o$/.test(words[index - 1] ?? '') && words[index - 1]!.startsWith('-')
      if (word === 'pipefail') this.state.pipefail = named
      if (word === 'errexit') this.state.errexit = named
    })
  }

  private changeFolder(words: readonly string[]): void {
    if (words[0] === 'popd') this.state.folder = null
    if (words[0] !== 'cd' && words[0] !== 'pushd') return
    const target = words.slice(1).find((word) => word !== '--' && !/^-[LPe@]/.test(word))
    this.state.folder = target === undefined || /^[-~]|[$`]/.test(target) ? null : joinFolder(this.state.folder, target)
  }
}

/** For each operator, the index of the next `||`. */
function nextOr(operators: readonly string[]): Int32Array {
  const next = new Int32Array(operators.length)
  for (let index = operators.length - 1; index >= 0; index--) next[index] = operators[index] === '||' ? index : (next[index + 1] ?? -1)
  return next
}

/** Maximum path length of Linux. */
const LONGEST_PATH = 4_096

/** A folder relative to another one; null if that is unknown and the target is relative. */
export function joinFolder(base: string | null, target: string): string | null {
  if (target.length + (base?.length ?? 0) > LONGEST_PATH) return null
  if (target.startsWith('/')) return path.posix.normalize(target)
  return base === null ? null : path.posix.join(base, target).replace(/(?<=.)\/$/, '')
}

function isNegated(node: Pipeline): boolean {
  return node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1
}
