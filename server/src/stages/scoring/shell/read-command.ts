import type { CompoundList, ParsedScript, SyntaxNode, Statement, Command, PipelineNode, Pipeline, AndOr } from 'unbash'
import { forEachChild, parse } from 'unbash'

/** A simple command of a shell text: its words after assignments and redirections, with quotes resolved. */
interface SimpleCommand {
  words: string[]
  /** As written, without a redirection that stands at its end or a here-document. */
  text: string
  /** The exit status of the whole text tells how this command ended (system.md §4.4 (2)). */
  decisive: boolean
}

export interface Structure {
  hasIf: boolean
  hasLoop: boolean
  hasPipeline: boolean
  hasList: boolean
}

/** What one visit over the syntax tree of a shell text tells. */
interface CommandReading {
  /** Words of the simple command that the text opens with; null for a compound command and for text that does not parse. */
  opening: string[] | null
  structure: Structure
  /** All simple commands, in the order of the text, those in substitutions too; quoted text and here-documents are not read. */
  commands: SimpleCommand[]
}

const NO_STRUCTURE: Structure = { hasIf: false, hasLoop: false, hasPipeline: false, hasList: false }
const MAX_NESTING = 40
const UNREADABLE: CommandReading = { opening: null, structure: NO_STRUCTURE, commands: [] }

/** Reads a shell text with a Bash grammar. Text that does not parse has no structure and no commands (§4.3). */
export function readCommand(text: string): CommandReading {
  try {
    const script = parse(text)
    const reader = new Reader(text)
    reader.script(script, true)
    return reader.failed ? UNREADABLE : { opening: openingWords(script), structure: reader.structure, commands: reader.commands }
  } catch (error) {
    // Words are parsed when they are looked at, so nesting beyond the stack shows here: text that does not parse.
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

/** One walk in source order. Its only state besides the results is `pipefail`, which a subshell inherits and cannot pass back. */
class Reader {
  readonly structure: Structure = { ...NO_STRUCTURE }
  readonly commands: SimpleCommand[] = []
  failed = false
  private source: string
  private pipefail = false
  private depth = 0

  constructor(source: string) {
    this.source = source
  }

  script(script: ParsedScript, decisive: boolean): void {
    // substitutions are parsed when they are looked at, each over the rest of the text: hostile nesting would be quadratic
    if (script.errors?.length || this.depth > MAX_NESTING) this.failed = true
    if (this.failed) return
    this.depth++
    const outer = this.source
    this.source = script.source ?? outer // escaped backticks: positions below index the decoded text
    this.list(script.commands, decisive)
    this.source = outer
    this.depth--
  }

  private list(statements: readonly Statement[], decisive: boolean): void {
    statements.forEach(({ command, background }, index) => {
      const isLast = index === statements.length - 1
      const decides = decisive && isLast && !background
      if (background) this.inSubshell(() => this.joined(command, decides))
      else this.joined(command, decides)
    })
  }

  private joined(node: PipelineNode | AndOr, decisive: boolean): void {
    if (node.type !== 'AndOr') return this.pipeline(node, decisive)
    if (node.operators.length > 0) this.structure.hasList = true
    const lastOr = node.operators.lastIndexOf('||')
    // operator k stands after command k, so a command is followed by `||` up to the last one
    node.commands.forEach((command, index) => this.pipeline(command, decisive && index > lastOr))
  }

  private pipeline(node: PipelineNode, decisive: boolean): void {
    if (node.type !== 'Pipeline') return this.visit(node, decisive)
    const isPiped = node.operators.length > 0
    if (isPiped) this.structure.hasPipeline = true
    const decides = decisive && !isNegated(node)
    const pipefail = this.pipefail
    node.commands.forEach((command, index) => {
      const part = decides && (pipefail || index === node.commands.length - 1)
      if (isPiped) this.inSubshell(() => this.visit(command, part))
      else this.visit(command, part)
    })
  }

  private inSubshell(work: () => void): void {
    const before = this.pipefail
    work()
    this.pipefail = before
  }

  private visit(node: SyntaxNode, decisive: boolean): void {
    switch (node.type) {
      case 'Command':
        return this.simple(node, decisive)
      case 'AndOr':
      case 'Pipeline':
        return this.joined(node, decisive)
      case 'Statement':
        return this.list([node], decisive)
      case 'CompoundList':
        return this.list(node.commands, decisive)
      case 'Script':
        return this.inSubshell(() => this.script(node, false))
      case 'Subshell':
        return this.inSubshell(() => this.body(node.body, decisive))
      case 'BraceGroup':
        return this.body(node.body, decisive)
      case 'Redirected':
        this.visit(node.command, decisive)
        for (const redirect of node.redirects) this.visit(redirect, false)
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
        return // §4.3: here-document bodies are not read
      default:
        return this.children(node)
    }
  }

  private body(list: CompoundList, decisive: boolean): void {
    this.list(list.commands, decisive)
  }

  /** Whatever stands inside something else: a case arm, a function body, a coprocess, a substitution in a word. */
  private children(node: SyntaxNode): void {
    forEachChild(node, (child) => this.visit(child, false))
  }

  private simple(node: Command, decisive: boolean): void {
    if (node.name) {
      const words = wordsOf(node)
      this.commands.push({ words, text: this.textOf(node), decisive })
      this.setOptions(words)
    }
    this.children(node)
  }

  private textOf(node: Command): string {
    const written = node.suffix.filter((part) => part.type === 'Word' || part.type === 'Assignment')
    const start = node.prefix.find((part) => part.type === 'Assignment')?.pos ?? node.name!.pos
    return this.source.slice(start, written.at(-1)?.end ?? node.name!.end)
  }

  /** `set -o pipefail`, also as `set -euo pipefail`; `set +o pipefail` takes it back. */
  private setOptions(words: readonly string[]): void {
    if (words[0] !== 'set') return
    words.forEach((word, index) => {
      if (word === 'pipefail' && /^[-+][a-zA-Z]*o$/.test(words[index - 1] ?? '')) this.pipefail = words[index - 1]!.startsWith('-')
    })
  }
}

function isNegated(node: Pipeline): boolean {
  return node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1
}
