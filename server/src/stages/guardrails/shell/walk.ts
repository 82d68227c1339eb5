import type { Command, Function as FunctionNode, ParsedScript, PipelineNode, AndOr, Redirection, Statement, SyntaxNode } from 'unbash'
import { forEachChild, parse } from 'unbash'
import { resolvePath } from '../paths.ts'
import type { Act, Span, ReportedAct } from './acts.ts'
import { runCommand } from './commands.ts'
import type { Session } from './session.ts'
import { elsewhere, here, isKnown, joined, NOTHING, type Text, UNKNOWN } from './text.ts'
import { TooMuch, type Value, Variables } from './variables.ts'
import { hereText, runSubstitutions, type Shell, textOf, wordsOf } from './words.ts'

const MAX_NESTING = 40
/** Steps and characters of work that a command may cost, and more for each of its characters. */
const STEPS = 20_000
const CHARACTERS = 4_000_000
const CHARACTERS_EACH = 16

/** Follows a shell text without running it; every act that rules look at, in the order in which it would happen. */
export function follow(source: string, folder: string | null): Act[] {
  const walk = new Walk(source, folder)
  const unreadable = (why: string, span: Span | null) => walk.acts.push({ kind: 'unreadable', why, folder, isElevated: false, span })
  try {
    const script = parse(source)
    for (const { message, pos } of script.errors ?? []) unreadable(message, { start: Math.min(pos, source.length), end: source.length })
    walk.script(script, NOTHING)
  } catch (error) {
    // the parser reads words when they are looked at, so nesting beyond the stack shows here
    if (!(error instanceof TooMuch || error instanceof RangeError)) throw error
    unreadable('it nests or repeats too much', null)
  }
  return walk.acts
}

interface Known {
  node: SyntaxNode
  /** Of the text that it was defined in, where that is not the command itself. */
  outer: Span | null
}

/** One walk in the order in which commands run. Branches are all taken; loops go round twice. */
class Walk implements Session, Shell {
  readonly acts: Act[] = []
  readonly variables = new Variables()
  readonly aliases = new Map<string, string>()
  readonly links = new Map<string, string>()
  positional: readonly Text[] = []
  private functions = new Map<string, Known[]>()
  private files = new Map<string, Text>()
  private sinks = new Map<string, ParsedScript>()
  private calls = new Set<SyntaxNode>()
  private isTooDeep = false
  /** The place of the text that is read now, if it is not in the command itself. */
  private outer: Span | null = null
  private current: Span = { start: 0, end: 0 }
  private depth = 0
  private loops = 0
  private doubt = 0
  private isElevated = false
  private isChoosing = false
  private pipes = 0
  private steps: number
  private characters: number

  constructor(source: string, folder: string | null) {
    this.steps = STEPS + source.length
    this.characters = CHARACTERS + CHARACTERS_EACH * source.length
    this.variables.set('PWD', [here(folder ?? '.')], true)
  }

  get folder(): string | null {
    const at = this.variables.get('PWD')[0]?.text ?? ''
    return at.startsWith('/') && !at.includes(UNKNOWN) ? at : null
  }

  get isCertain(): boolean {
    return this.doubt === 0 && this.variables.choice === 0
  }

  charge(characters: number): void {
    this.steps -= 1
    this.characters -= characters
    if (this.steps < 0 || this.characters < 0) throw new TooMuch()
  }

  reportAct(act: ReportedAct): void {
    this.acts.push({ folder: this.folder, isElevated: this.isElevated, span: this.current, ...act })
  }

  script(script: ParsedScript, input: Text): Text {
    if (this.depth >= MAX_NESTING) return this.tooDeep()
    this.depth += 1
    try {
      // positions in a script that was decoded first are not those of the command
      return script.source === undefined
        ? this.list(script.commands, input)
        : this.within(this.current, () => this.list(script.commands, input))
    } finally {
      this.depth -= 1
    }
  }

  runText(text: Text, input: Text, positional?: readonly Text[]): Text {
    if (text.origin !== 'here' && text.origin !== 'elsewhere') this.reportAct({ kind: 'script', origin: text.origin })
    if (!/[^\0\s]/.test(text.text)) return elsewhere
    this.charge(text.text.length)
    const script = parse(text.text)
    if (script.errors?.length && isKnown(text)) this.reportAct({ kind: 'unreadable', why: script.errors[0]!.message })
    const before = this.positional
    if (positional) this.positional = positional
    try {
      return this.within(this.outer ?? this.current, () => this.script(script, input))
    } finally {
      if (positional) this.positional = before
    }
  }

  substitute(script: ParsedScript): Text {
    return this.apart(() => {
      const only = script.commands.length === 1 ? script.commands[0]!.command : null
      // `$(<file)`
      if (only?.type === 'Command' && !only.name && only.redirects.length === 1) return this.redirected(only.redirects, NOTHING).input
      return this.script(script, NOTHING)
    })
  }

  pipe(script: ParsedScript, direction: '<' | '>'): string {
    const path = `/dev/fd/${(this.pipes += 1) + 60}`
    if (direction === '>') this.sinks.set(path, script)
    else
      this.files.set(
        path,
        this.apart(() => this.script(script, NOTHING)),
      )
    return path
  }

  readFile(path: string): Text | null {
    return this.files.get(this.key(path)) ?? null
  }

  putFile(path: string, text: Text): void {
    const sink = this.sinks.get(path)
    if (sink) return void this.apart(() => this.script(sink, text))
    this.reportAct({ kind: 'write', path })
    const known = this.files.get(this.key(path))
    const kept: Text = text.origin === 'download' ? { text: text.text, origin: 'fetched' } : text
    this.files.set(this.key(path), known ? joined([known, kept]) : kept)
  }

  hasFunction(name: string): boolean {
    return this.functions.has(name)
  }

  callFunction(name: string, args: readonly Text[], input: Text): Text {
    return joined((this.functions.get(name) ?? []).map((known) => this.callBody(known, args, input)))
  }

  private callBody({ node, outer }: Known, args: readonly Text[], input: Text): Text {
    if (this.calls.has(node)) return elsewhere // once is enough to see what it does
    if (this.depth >= MAX_NESTING) return this.tooDeep()
    const before = this.positional
    this.positional = args
    this.calls.add(node)
    this.depth += 1
    try {
      return outer ? this.within(outer, () => this.visit(node, input)) : this.visit(node, input)
    } finally {
      this.depth -= 1
      this.calls.delete(node)
      this.positional = before
    }
  }

  private tooDeep(): Text {
    if (!this.isTooDeep) this.reportAct({ kind: 'unreadable', why: 'it nests too deep' })
    this.isTooDeep = true
    return elsewhere
  }

  apart<T>(work: () => T): T {
    const { positional } = this
    try {
      return this.variables.preserving(['PWD'], work)
    } finally {
      this.positional = positional
    }
  }

  elevated<T>(work: () => T): T {
    const before = this.isElevated
    this.isElevated = true
    try {
      return work()
    } finally {
      this.isElevated = before
    }
  }

  private key = (path: string) => resolvePath(path, this.folder ?? '/?') ?? path

  private within<T>(span: Span, work: () => T): T {
    const before = this.outer
    this.outer = span
    try {
      return work()
    } finally {
      this.outer = before
    }
  }

  private perhaps<T>(work: () => T): T {
    this.doubt += 1
    try {
      return work()
    } finally {
      this.doubt -= 1
    }
  }

  private list(statements: readonly Statement[], input: Text): Text {
    return joined(statements.map(({ command }) => this.visit(command, input)))
  }

  private andOr({ commands, operators }: AndOr, input: Text): Text {
    // operator k is before command k + 1
    return joined(
      commands.map((command, index) =>
        operators[index - 1] === '||' ? this.perhaps(() => this.visit(command, input)) : this.visit(command, input),
      ),
    )
  }

  private pipeline(commands: readonly PipelineNode[], input: Text): Text {
    let passed = input
    for (const command of commands) passed = this.apart(() => this.visit(command, passed))
    return passed
  }

  visit(node: SyntaxNode, input: Text): Text {
    this.charge(0)
    switch (node.type) {
      case 'Command':
        return this.chosen(node, input)
      case 'AndOr':
        return this.andOr(node, input)
      case 'Pipeline':
        return this.pipeline(node.commands, input)
      case 'Statement':
        return this.visit(node.command, input)
      case 'CompoundList':
        return this.list(node.commands, input)
      case 'Subshell':
        return this.apart(() => this.list(node.body.commands, input))
      case 'BraceGroup':
        return this.list(node.body.commands, input)
      case 'Redirected': {
        const redirected = this.redirected(node.redirects, input)
        return this.written(this.visit(node.command, redirected.input), redirected.targets)
      }
      case 'If': {
        const branches = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), ...(node.else ? [node.else] : [])]
        return joined([this.visit(node.clause, input), ...branches.map((branch) => this.perhaps(() => this.visit(branch, input)))])
      }
      case 'For':
      case 'Select': {
        const values = node.wordlist ? node.wordlist.flatMap((word) => wordsOf(word, this)) : this.positional
        this.variables.setAny(
          node.name.value,
          values.map((value) => [value]),
        )
        return this.loop(() => this.visit(node.body, input))
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) runSubstitutions(part, this)
        return this.loop(() => this.visit(node.body, input))
      case 'While':
        return this.loop(() => joined([this.visit(node.clause, input), this.visit(node.body, input)]))
      case 'Case':
        textOf(node.word, this)
        return joined(node.items.map(({ body }) => this.perhaps(() => this.visit(body, input))))
      case 'Function':
        return this.define(node)
      case 'ArithmeticCommand': {
        runSubstitutions(node, this)
        // shells without `(( ))` read two subshells
        const script = parse(node.body)
        return script.errors?.length
          ? NOTHING
          : this.within(this.outer ?? { start: node.pos, end: node.end }, () => this.apart(() => this.script(script, input)))
      }
      case 'Coproc':
        return this.visit(node.body, input)
      default:
        runSubstitutions(node, this)
        return NOTHING
    }
  }

  /** What a later round does may depend on what an earlier one set. */
  private loop(round: () => Text): Text {
    this.loops += 1
    try {
      return joined([this.perhaps(round), ...(this.loops <= 2 ? [this.perhaps(round)] : [])])
    } finally {
      this.loops -= 1
    }
  }

  /** A function may be called by a later command, so its body is followed when it is defined. */
  private define(node: FunctionNode): Text {
    const name = node.name.value
    const known = { node: node.body, outer: this.outer }
    const others = this.isCertain ? [] : (this.functions.get(name) ?? []).filter((one) => one.node !== known.node)
    this.functions.set(name, [...others, known])
    this.current = this.outer ?? { start: node.pos, end: node.end }
    if (isBomb(node)) this.reportAct({ kind: 'bomb' })
    this.perhaps(() => this.apart(() => this.callBody(known, [], NOTHING)))
    return NOTHING
  }

  /** Runs a command once for each value that its variables may have. */
  private chosen(node: Command, input: Text): Text {
    if (this.isChoosing) return this.simple(node, input)
    this.isChoosing = true
    const outputs: Text[] = []
    let widest = 1
    try {
      for (let choice = 0; choice < widest; choice++) {
        this.variables.choice = choice
        this.variables.widest = 1
        outputs.push(this.simple(node, input))
        widest = Math.max(widest, this.variables.widest)
      }
    } finally {
      this.isChoosing = false
      this.variables.choice = 0
    }
    return joined(outputs)
  }

  private simple(node: Command, input: Text): Text {
    const span = this.outer ?? { start: node.pos, end: node.end }
    this.current = span
    const assigned = node.prefix.flatMap((part): (readonly [string, Value])[] =>
      part.type === 'Assignment' ? [[part.name, this.assigned(part)] as const] : [],
    )
    const words = [
      ...(node.name ? wordsOf(node.name, this) : []),
      ...node.suffix.flatMap((part): Text[] => {
        if (part.type === 'Word') return wordsOf(part, this)
        if (part.type !== 'Assignment') return []
        const value = this.assigned(part)
        if (part.value.type === 'ArrayValue') this.variables.set(part.name, value, this.isCertain)
        return part.value.type === 'ArrayValue' ? [] : [{ ...joined(value), text: `${part.name}=${joined(value).text}` }]
      }),
    ]
    this.current = span
    const { input: given, targets } = this.redirected(node.redirects, input)
    if (words.length === 0) {
      for (const [name, value] of assigned) this.assign(name, value)
      return this.written(NOTHING, targets)
    }
    const output = this.variables.preserving(
      assigned.map(([name]) => name),
      () => {
        for (const [name, value] of assigned) this.variables.set(name, value, true)
        return runCommand(words, given, this)
      },
    )
    this.current = span
    return this.written(output, targets)
  }

  private assigned({ name, value, append }: Extract<Command['prefix'][number], { type: 'Assignment' }>): Value {
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
    return [append ? joined([...before, text]) : text]
  }

  private assign(name: string, value: Value): void {
    this.variables.set(name, value, this.isCertain)
    if (name === 'PROMPT_COMMAND') this.runText(joined(value, '; '), NOTHING)
  }

  private redirected(redirects: readonly Redirection[], input: Text): { input: Text; targets: string[] } {
    const targets: string[] = []
    let given = input
    for (const redirect of redirects) {
      const fd = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : null
      if (redirect.type === 'HereDoc') {
        const { body, operator } = redirect
        const text = body.parts ? hereText(body.parts, this) : here(body.text)
        given = operator === '<<-' ? { ...text, text: text.text.replaceAll(/^\t+/gm, '') } : text
      } else if (redirect.type === 'HereString') {
        const text = redirect.target ? textOf(redirect.target, this) : NOTHING
        given = { ...text, text: `${text.text}\n` }
      } else if (redirect.target) {
        const path = textOf(redirect.target, this).text
        if (redirect.operator === '<' || redirect.operator === '<>') {
          if (fd === null || fd === 0) given = this.readFile(path) ?? elsewhere
          if (redirect.operator === '<>') this.reportAct({ kind: 'write', path })
        } else if (!/^(?:\d+-?|-)$/.test(path) || !redirect.operator.endsWith('&')) {
          if (fd === null || fd === 1) targets.push(path)
          else this.putFile(path, elsewhere)
        }
      }
    }
    return { input: given, targets }
  }

  private written(output: Text, targets: readonly string[]): Text {
    if (targets.length === 0) return output
    for (const path of targets) this.putFile(path, output)
    return NOTHING
  }
}

/** A function that starts itself at least twice, and does not wait for it. */
function isBomb({ name, body }: FunctionNode): boolean {
  let calls = 0
  let isSpread = false
  const look = (node: SyntaxNode, isApart: boolean): void => {
    if (node.type === 'Command' && node.name?.value === name.value) {
      calls += 1
      isSpread ||= isApart
    }
    const spreads = (node.type === 'Statement' && node.background === true) || (node.type === 'Pipeline' && node.commands.length > 1)
    forEachChild(node, (child) => look(child, isApart || spreads))
  }
  look(body, false)
  return calls >= 2 && isSpread
}
