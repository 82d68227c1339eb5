import path from 'node:path'
import type { ParsedScript, SyntaxNode, Statement, Command, PipelineNode, Pipeline, AndOr } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { withoutWrappers, type Bare, type ShellString } from '../verification/wrappers.ts'
import { capturedStatus, echoPattern, endsInFailure } from './exit-status.ts'

/**
 * Where the exit status of a command is visible: the whole text exits with it, the last line of the output
 * prints it (`pattern` captures the number), or the last line is one of two markers. Null if it is lost.
 */
export type StatusSource =
  | { by: 'exit' }
  | { by: 'printed'; pattern: string }
  | { by: 'marks'; passed: string | null; failed: string }
  | null

/** A simple command of a shell text: its words after assignments and redirections, with quotes resolved. */
interface SimpleCommand {
  words: string[]
  /** As written, without a trailing redirection or here-document. */
  text: string
  /** Without its wrappers. */
  bare: Bare
  status: StatusSource
  /** Later commands run only if this one succeeds, so a failure of the whole text may come from them. */
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

/** Reads a shell text with a Bash grammar. Invalid text has no structure and no commands. */
export function readCommand(text: string): CommandReading {
  try {
    const script = parse(text)
    const reader = new Reader(text)
    reader.readScript(script, { status: { by: 'exit' }, followed: false })
    return reader.failed ? UNREADABLE : { opening: openingWords(script), structure: reader.structure, commands: reader.commands }
  } catch (error) {
    // words are parsed lazily, so nesting deeper than the stack fails here
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
interface CommandContext {
  status: StatusSource
  followed: boolean
  /** Index in the pipeline of the command whose `PIPESTATUS` is captured. */
  part?: number
}
const STATUS_LOST: CommandContext = { status: null, followed: false }

/** What a subshell inherits and cannot pass back. */
interface ShellState {
  pipefail: boolean
  errexit: boolean
  folder: string | null
}

/** One walk in source order. */
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

  readScript(script: ParsedScript, context: CommandContext): void {
    // substitutions are parsed lazily, each over the rest of the text: hostile nesting would be quadratic
    if (script.errors?.length || this.depth > MAX_NESTING) this.failed = true
    if (this.failed) return
    this.depth++
    const outer = this.source
    this.source = script.source ?? outer // escaped backticks: positions below index the decoded text
    this.readList(script.commands, context)
    this.source = outer
    this.depth--
  }

  private readList(statements: readonly Statement[], context: CommandContext): void {
    statements.forEach(({ command, background }, index) => {
      const isLast = index === statements.length - 1
      if (background) return this.inSubshell(() => this.readAndOr(command, STATUS_LOST))
      if (isLast) return this.readAndOr(command, context)
      const captured = context.status?.by === 'exit' ? capturedStatus(statements, index) : null
      if (captured) return this.readAndOr(command, captured)
      this.readAndOr(command, this.state.errexit ? { ...context, followed: true } : STATUS_LOST)
    })
  }

  private readAndOr(node: PipelineNode | AndOr, context: CommandContext): void {
    if (node.type !== 'AndOr') return this.readPipeline(node, context)
    const { commands, operators } = node
    if (operators.length > 0) this.structure.hasList = true
    const lastOr = operators.lastIndexOf('||')
    const nextOrs = nextOrIndexes(operators)
    // operator k follows command k
    commands.forEach((command, index) => {
      const or = nextOrs[index] ?? -1
      const followed = context.followed || operators[index] === '&&'
      if (or === -1) return this.readPipeline(command, { ...context, followed })
      const isLastOr = lastOr === or
      if (isLastOr && endsInFailure(commands.at(-1)!))
        return this.readPipeline(command, { ...context, followed: context.followed || (or > index && followed) })
      const failed = context.status?.by === 'exit' && isLastOr && or === operators.length - 1 ? echoPattern(commands[or + 1]!) : null
      if (failed === null) return this.readPipeline(command, STATUS_LOST)
      const passed = or > index ? echoPattern(commands[or]!) : null
      this.readPipeline(command, { status: { by: 'marks', passed, failed }, followed: or > index + 1 })
    })
  }

  private readPipeline(node: PipelineNode, { part, ...context }: CommandContext): void {
    if (node.type !== 'Pipeline') return this.visit(node, context)
    const isPiped = node.operators.length > 0
    if (isPiped) this.structure.hasPipeline = true
    const inner = isNegated(node) ? STATUS_LOST : context
    const { pipefail } = this.state
    node.commands.forEach((command, index) => {
      const decides = part === undefined ? pipefail || index === node.commands.length - 1 : index === part
      if (isPiped) this.inSubshell(() => this.visit(command, decides ? inner : STATUS_LOST))
      else this.visit(command, inner)
    })
  }

  private inSubshell(work: () => void): void {
    const before = { ...this.state }
    work()
    this.state = before
  }

  private visit(node: SyntaxNode, context: CommandContext): void {
    switch (node.type) {
      case 'Command':
        return this.readSimple(node, context)
      case 'AndOr':
      case 'Pipeline':
        return this.readAndOr(node, context)
      case 'Statement':
        return this.readList([node], context)
      case 'CompoundList':
        return this.readList(node.commands, context)
      case 'Script':
        return this.inSubshell(() => this.readScript(node, STATUS_LOST))
      case 'Subshell':
        return this.inSubshell(() => this.readList(node.body.commands, context))
      case 'BraceGroup':
        return this.readList(node.body.commands, context)
      case 'Redirected':
        this.visit(node.command, context)
        for (const redirect of node.redirects) this.visit(redirect, STATUS_LOST)
        return
      case 'If':
        this.structure.hasIf = true
        return this.visitChildren(node)
      case 'For':
      case 'ArithmeticFor':
      case 'While':
      case 'Select':
        this.structure.hasLoop = true
        return this.visitChildren(node)
      case 'HereDocBody':
        return // here-document bodies are not read
      default:
        return this.visitChildren(node)
    }
  }

  /** Nested commands: a case arm, a function body, a coprocess, a substitution in a word. */
  private visitChildren(node: SyntaxNode): void {
    forEachChild(node, (child) => this.visit(child, STATUS_LOST))
  }

  private readSimple(node: Command, context: CommandContext): void {
    if (node.name) {
      const words = wordsOf(node)
      const bare = withoutWrappers(words)
      if ('script' in bare) this.readShellString(bare, context)
      else {
        this.commands.push({
          words,
          bare,
          text: this.textOf(node),
          status: context.status,
          followed: context.followed,
          folder: this.state.folder,
        })
        this.setOptions(words)
        this.changeFolder(words)
      }
    }
    this.visitChildren(node)
  }

  /** Reads the text passed to a shell instead of the command, like a subshell; its structure does not count. */
  private readShellString({ script, pipefail, errexit }: ShellString, context: CommandContext): void {
    const reader = new Reader(script, { ...this.state, pipefail, errexit }, this.depth + 1)
    reader.readScript(parse(script), context)
    if (!reader.failed) this.commands.push(...reader.commands)
  }

  private textOf(node: Command): string {
    const suffixWords = node.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment')
    const start = node.prefix.find((part) => part.type === 'Assignment')?.pos ?? node.name!.pos
    return this.source.slice(start, suffixWords.at(-1)?.end ?? node.name!.end)
  }

  /** `set -e`, `set -o pipefail`, also as `set -euo pipefail`; `+` unsets them. */
  private setOptions(words: readonly string[]): void {
    if (words[0] !== 'set') return
    words.forEach((word, index) => {
      const isSetting = word.startsWith('-')
      if (/^[-+][a-zA-Z]*e/.test(word)) this.state.errexit = isSetting
      const isSet = /^[-+][a-zA-Z]*o$/.test(words[index - 1] ?? '') && words[index - 1]!.startsWith('-')
      if (word === 'pipefail') this.state.pipefail = isSet
      if (word === 'errexit') this.state.errexit = isSet
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
function nextOrIndexes(operators: readonly string[]): Int32Array {
  const next = new Int32Array(operators.length)
  for (let index = operators.length - 1; index >= 0; index--) next[index] = operators[index] === '||' ? index : (next[index + 1] ?? -1)
  return next
}

/** Maximum path length of Linux. */
const LONGEST_PATH = 4_096

/** `target` relative to `base`; null if `target` is relative and `base` is unknown. */
export function joinFolder(base: string | null, target: string): string | null {
  if (target.length + (base?.length ?? 0) > LONGEST_PATH) return null
  if (target.startsWith('/')) return path.posix.normalize(target)
  return base === null ? null : path.posix.join(base, target).replace(/(?<=.)\/$/, '')
}

function isNegated(node: Pipeline): boolean {
  return node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1
}
