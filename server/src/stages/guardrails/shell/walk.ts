import type { Command, Function as FunctionNode, ParsedScript, PipelineNode, AndOr, Redirection, Statement, SyntaxNode } from 'unbash'
import { parse } from 'unbash'
import { resolvePath } from '../paths.ts'
import type { Action, Span, ReportedAction } from './actions.ts'
import { callsIn, isBomb } from './bomb.ts'
import { runCommand } from './commands.ts'
import { readShell } from './read.ts'
import type { Session } from './session.ts'
import { UNKNOWN_TEXT, literalText, isKnown, joinTexts, NO_TEXT, type Text, UNKNOWN } from './text.ts'
import { TooMuch, type Value, Variables } from './variables.ts'
import { hereText, runSubstitutions, type Shell, textOf, wordsOf } from './words.ts'

const MAX_NESTING = 40
/** Limits of steps and characters for a command; CHARACTERS_EACH is added for each of its characters. */
const STEPS = 20_000
const CHARACTERS = 4_000_000
const CHARACTERS_EACH = 16

/** Every action of a shell text that rules look at, in the order in which it would happen. Nothing is run. */
export function actionsOf(source: string, folder: string | null): Action[] {
  const walk = new Walk(source, folder)
  const addUnreadable = (why: string, span: Span | null) => walk.actions.push({ kind: 'unreadable', why, folder, isElevated: false, span })
  try {
    const { script, spanOf } = readShell(source)
    for (const { message, pos } of script.errors ?? []) addUnreadable(message, { start: Math.min(pos, source.length), end: source.length })
    walk.runScript(script, NO_TEXT)
    for (const action of walk.actions) if (action.kind !== 'unreadable' && action.span) action.span = spanOf(action.span)
  } catch (error) {
    // the parser reads words lazily, so nesting deeper than the stack fails here
    if (!(error instanceof TooMuch || error instanceof RangeError)) throw error
    addUnreadable('it nests or repeats too much', null)
  }
  return walk.actions
}

interface KnownFunction {
  node: SyntaxNode
  /** The span of the text that defines the function, if that text is not the command itself. */
  span: Span | null
}

/** One walk in the order in which commands run. It follows every branch, and each loop twice. */
class Walk implements Session, Shell {
  readonly actions: Action[] = []
  readonly variables = new Variables()
  readonly aliases = new Map<string, string>()
  readonly links = new Map<string, string>()
  positional: readonly Text[] = []
  private functions = new Map<string, KnownFunction[]>()
  private files = new Map<string, Text>()
  private sinks = new Map<string, ParsedScript>()
  private activeCalls = new Set<SyntaxNode>()
  private hasReportedDepth = false
  /** The span to report for text that is not in the command itself, such as a decoded script. */
  private outerSpan: Span | null = null
  private currentSpan: Span = { start: 0, end: 0 }
  private depth = 0
  private loopDepth = 0
  private uncertainDepth = 0
  private isElevated = false
  private isTryingValues = false
  private pipeCount = 0
  private steps: number
  private characters: number

  constructor(source: string, folder: string | null) {
    this.steps = STEPS + source.length
    this.characters = CHARACTERS + CHARACTERS_EACH * source.length
    this.variables.set('PWD', [literalText(folder ?? '.')], true)
  }

  get folder(): string | null {
    const folder = this.variables.get('PWD')[0]?.text ?? ''
    return folder.startsWith('/') && !folder.includes(UNKNOWN) ? folder : null
  }

  get isCertain(): boolean {
    return this.uncertainDepth === 0 && this.variables.choice === 0
  }

  charge(characters: number): void {
    this.steps -= 1
    this.characters -= characters
    if (this.steps < 0 || this.characters < 0) throw new TooMuch()
  }

  reportAction(action: ReportedAction): void {
    this.actions.push({ folder: this.folder, isElevated: this.isElevated, span: this.currentSpan, ...action })
  }

  runScript(script: ParsedScript, input: Text): Text {
    if (this.depth >= MAX_NESTING) return this.reportTooDeep()
    this.depth += 1
    try {
      // positions in a decoded script are not positions in the command
      return script.source === undefined
        ? this.visitList(script.commands, input)
        : this.withOuterSpan(this.currentSpan, () => this.visitList(script.commands, input))
    } finally {
      this.depth -= 1
    }
  }

  runText(text: Text, input: Text, positional?: readonly Text[]): Text {
    if (text.origin !== 'command' && text.origin !== 'machine') this.reportAction({ kind: 'script', origin: text.origin })
    if (!/[^\0\s]/.test(text.text)) return UNKNOWN_TEXT
    this.charge(text.text.length)
    const { script } = readShell(text.text)
    if (script.errors?.length && isKnown(text)) this.reportAction({ kind: 'unreadable', why: script.errors[0]!.message })
    const outerPositional = this.positional
    if (positional) this.positional = positional
    try {
      return this.withOuterSpan(this.outerSpan ?? this.currentSpan, () => this.runScript(script, input))
    } finally {
      if (positional) this.positional = outerPositional
    }
  }

  substitute(script: ParsedScript): Text {
    return this.inSubshell(() => {
      const onlyCommand = script.commands.length === 1 ? script.commands[0]!.command : null
      // `$(<file)`
      if (onlyCommand?.type === 'Command' && !onlyCommand.name && onlyCommand.redirects.length === 1)
        return this.applyRedirects(onlyCommand.redirects, NO_TEXT).input
      return this.runScript(script, NO_TEXT)
    })
  }

  openPipe(script: ParsedScript, direction: '<' | '>'): string {
    const path = `/dev/fd/${(this.pipeCount += 1) + 60}`
    if (direction === '>') this.sinks.set(path, script)
    else
      this.files.set(
        path,
        this.inSubshell(() => this.runScript(script, NO_TEXT)),
      )
    return path
  }

  readFile(path: string): Text | null {
    return this.files.get(this.fileKey(path)) ?? null
  }

  recordFile(path: string, text: Text): void {
    const sink = this.sinks.get(path)
    if (sink) return void this.inSubshell(() => this.runScript(sink, text))
    this.reportAction({ kind: 'write', path })
    const earlier = this.files.get(this.fileKey(path))
    const stored: Text = text.origin === 'download' ? { text: text.text, origin: 'fetched' } : text
    this.files.set(this.fileKey(path), earlier ? joinTexts([earlier, stored]) : stored)
  }

  hasFunction(name: string): boolean {
    return this.functions.has(name)
  }

  callFunction(name: string, args: readonly Text[], input: Text): Text {
    return joinTexts((this.functions.get(name) ?? []).map((known) => this.callBody(known, args, input)))
  }

  private callBody({ node, span }: KnownFunction, args: readonly Text[], input: Text): Text {
    if (this.activeCalls.has(node)) return UNKNOWN_TEXT // one pass shows what a recursive function does
    if (this.depth >= MAX_NESTING) return this.reportTooDeep()
    const before = this.positional
    this.positional = args
    this.activeCalls.add(node)
    this.depth += 1
    try {
      return span ? this.withOuterSpan(span, () => this.visit(node, input)) : this.visit(node, input)
    } finally {
      this.depth -= 1
      this.activeCalls.delete(node)
      this.positional = before
    }
  }

  private reportTooDeep(): Text {
    if (!this.hasReportedDepth) this.reportAction({ kind: 'unreadable', why: 'it nests too deep' })
    this.hasReportedDepth = true
    return UNKNOWN_TEXT
  }

  inSubshell<T>(work: () => T): T {
    const { positional } = this
    try {
      return this.variables.preserving(['PWD'], work)
    } finally {
      this.positional = positional
    }
  }

  asElevated<T>(work: () => T): T {
    const before = this.isElevated
    this.isElevated = true
    try {
      return work()
    } finally {
      this.isElevated = before
    }
  }

  private fileKey = (path: string) => resolvePath(path, this.folder ?? '/?') ?? path

  private withOuterSpan<T>(span: Span, work: () => T): T {
    const before = this.outerSpan
    this.outerSpan = span
    try {
      return work()
    } finally {
      this.outerSpan = before
    }
  }

  private asUncertain<T>(work: () => T): T {
    this.uncertainDepth += 1
    try {
      return work()
    } finally {
      this.uncertainDepth -= 1
    }
  }

  private visitList(statements: readonly Statement[], input: Text): Text {
    return joinTexts(statements.map(({ command }) => this.visit(command, input)))
  }

  private visitAndOr({ commands, operators }: AndOr, input: Text): Text {
    // operator k is before command k + 1
    return joinTexts(
      commands.map((command, index) =>
        operators[index - 1] === '||' ? this.asUncertain(() => this.visit(command, input)) : this.visit(command, input),
      ),
    )
  }

  private visitPipeline(commands: readonly PipelineNode[], input: Text): Text {
    let output = input
    for (const command of commands) output = this.inSubshell(() => this.visit(command, output))
    return output
  }

  visit(node: SyntaxNode, input: Text): Text {
    this.charge(0)
    switch (node.type) {
      case 'Command':
        return this.runForEachValue(node, input)
      case 'AndOr':
        return this.visitAndOr(node, input)
      case 'Pipeline':
        return this.visitPipeline(node.commands, input)
      case 'Statement':
        return this.visit(node.command, input)
      case 'CompoundList':
        return this.visitList(node.commands, input)
      case 'Subshell':
        return this.inSubshell(() => this.visitList(node.body.commands, input))
      case 'BraceGroup':
        return this.visitList(node.body.commands, input)
      case 'Redirected': {
        const redirected = this.applyRedirects(node.redirects, input)
        return this.writeOutput(this.visit(node.command, redirected.input), redirected.targets)
      }
      case 'If': {
        const branches = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), ...(node.else ? [node.else] : [])]
        return joinTexts([this.visit(node.clause, input), ...branches.map((branch) => this.asUncertain(() => this.visit(branch, input)))])
      }
      case 'For':
      case 'Select': {
        const values = node.wordlist ? node.wordlist.flatMap((word) => wordsOf(word, this)) : this.positional
        this.variables.setPossible(
          node.name.value,
          values.map((value) => [value]),
        )
        return this.visitLoop(() => this.visit(node.body, input))
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) runSubstitutions(part, this)
        return this.visitLoop(() => this.visit(node.body, input))
      case 'While':
        return this.visitLoop(() => joinTexts([this.visit(node.clause, input), this.visit(node.body, input)]))
      case 'Case':
        textOf(node.word, this)
        return joinTexts(node.items.map(({ body }) => this.asUncertain(() => this.visit(body, input))))
      case 'Function':
        return this.defineFunction(node)
      case 'ArithmeticCommand': {
        runSubstitutions(node, this)
        // shells without `(( ))` read it as two nested subshells
        const script = parse(node.body)
        return script.errors?.length
          ? NO_TEXT
          : this.withOuterSpan(this.outerSpan ?? { start: node.pos, end: node.end }, () =>
              this.inSubshell(() => this.runScript(script, input)),
            )
      }
      case 'Coproc':
        return this.visit(node.body, input)
      default:
        runSubstitutions(node, this)
        return NO_TEXT
    }
  }

  /** Follows a loop twice, because a later round may depend on what an earlier one set. */
  private visitLoop(visitRound: () => Text): Text {
    this.loopDepth += 1
    try {
      return joinTexts([this.asUncertain(visitRound), ...(this.loopDepth <= 2 ? [this.asUncertain(visitRound)] : [])])
    } finally {
      this.loopDepth -= 1
    }
  }

  /** A function may be called by a later command, so its body is followed when it is defined. */
  private defineFunction(node: FunctionNode): Text {
    const name = node.name.value
    const known = { node: node.body, span: this.outerSpan }
    const otherDefinitions = this.isCertain ? [] : (this.functions.get(name) ?? []).filter((definition) => definition.node !== known.node)
    this.functions.set(name, [...otherDefinitions, known])
    this.currentSpan = this.outerSpan ?? { start: node.pos, end: node.end }
    const calledBack = (called: string) => this.functions.get(called)?.some(({ node: body }) => callsIn(body).has(name)) ?? false
    if (isBomb(node, calledBack)) this.reportAction({ kind: 'bomb' })
    this.asUncertain(() => this.inSubshell(() => this.callBody(known, [], NO_TEXT)))
    return NO_TEXT
  }

  /** Runs a command once for each value that its variables may have. */
  private runForEachValue(node: Command, input: Text): Text {
    if (this.isTryingValues) return this.runSimple(node, input)
    this.isTryingValues = true
    const outputs: Text[] = []
    let widest = 1
    try {
      for (let choice = 0; choice < widest; choice++) {
        this.variables.choice = choice
        this.variables.widest = 1
        outputs.push(this.runSimple(node, input))
        widest = Math.max(widest, this.variables.widest)
      }
    } finally {
      this.isTryingValues = false
      this.variables.choice = 0
    }
    return joinTexts(outputs)
  }

  private runSimple(node: Command, input: Text): Text {
    const span = this.outerSpan ?? { start: node.pos, end: node.end }
    this.currentSpan = span
    const assignments = node.prefix.flatMap((part): (readonly [string, Value])[] =>
      part.type === 'Assignment' ? [[part.name, this.assignedValue(part)] as const] : [],
    )
    const words = [
      ...(node.name ? wordsOf(node.name, this) : []),
      ...node.suffix.flatMap((part): Text[] => {
        if (part.type === 'Word') return wordsOf(part, this)
        if (part.type !== 'Assignment') return []
        const value = this.assignedValue(part)
        if (part.value.type === 'ArrayValue') this.variables.set(part.name, value, this.isCertain)
        return part.value.type === 'ArrayValue' ? [] : [{ ...joinTexts(value), text: `${part.name}=${joinTexts(value).text}` }]
      }),
    ]
    this.currentSpan = span
    const { input: stdin, targets } = this.applyRedirects(node.redirects, input)
    if (words.length === 0) {
      for (const [name, value] of assignments) this.setVariable(name, value)
      return this.writeOutput(NO_TEXT, targets)
    }
    const output = this.variables.preserving(
      assignments.map(([name]) => name),
      () => {
        for (const [name, value] of assignments) this.variables.set(name, value, true)
        return runCommand(words, stdin, this)
      },
    )
    this.currentSpan = span
    return this.writeOutput(output, targets)
  }

  private assignedValue({ name, value, append }: Extract<Command['prefix'][number], { type: 'Assignment' }>): Value {
    this.variables.assigning = name
    const before = append ? this.variables.get(name) : []
    this.charge(before.length)
    if (value.type === 'ArrayValue') {
      const elements = value.elements.flatMap((word) => wordsOf(word, this))
      this.variables.assigning = null
      return [...before, ...elements]
    }
    const text = textOf(value, this)
    this.variables.assigning = null
    this.charge(text.text.length)
    return [append ? joinTexts([...before, text]) : text]
  }

  private setVariable(name: string, value: Value): void {
    this.variables.set(name, value, this.isCertain)
    if (name === 'PROMPT_COMMAND') this.runText(joinTexts(value, '; '), NO_TEXT)
  }

  private applyRedirects(redirects: readonly Redirection[], input: Text): { input: Text; targets: string[] } {
    const targets: string[] = []
    let stdin = input
    for (const redirect of redirects) {
      const fd = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : null
      if (redirect.type === 'HereDoc') {
        const { body, operator } = redirect
        const text = body.parts ? hereText(body.parts, this) : literalText(body.text)
        stdin = operator === '<<-' ? { ...text, text: text.text.replaceAll(/^\t+/gm, '') } : text
      } else if (redirect.type === 'HereString') {
        const text = redirect.target ? textOf(redirect.target, this) : NO_TEXT
        stdin = { ...text, text: `${text.text}\n` }
      } else if (redirect.target) {
        const path = textOf(redirect.target, this).text
        if (redirect.operator === '<' || redirect.operator === '<>') {
          if (fd === null || fd === 0) stdin = this.readFile(path) ?? UNKNOWN_TEXT
          if (redirect.operator === '<>') this.reportAction({ kind: 'write', path })
        } else if (!/^(?:\d+-?|-)$/.test(path) || !redirect.operator.endsWith('&')) {
          if (fd === null || fd === 1) targets.push(path)
          else this.recordFile(path, UNKNOWN_TEXT)
        }
      }
    }
    return { input: stdin, targets }
  }

  private writeOutput(output: Text, targets: readonly string[]): Text {
    if (targets.length === 0) return output
    for (const path of targets) this.recordFile(path, output)
    return NO_TEXT
  }
}
