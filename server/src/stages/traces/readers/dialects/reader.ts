import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { documentIn } from '#server/damaged-document.ts'
import { MAX_DEPTH } from '#server/shallow-json.ts'
import { type FoundRecord, hasLostBytes, parseObject, recordsWithoutNewline, wholeRecords } from '#server/whole-records.ts'
import type { Agent } from '#contracts/entities/common.ts'
import type { DeriveOutput, ResponseRow } from '../../derived.ts'
import { AgentLinks } from '../claude-code/agents.ts'
import { arrange } from '../claude-code/arrange.ts'
import { commitOf, fileOf, labelOf } from '../claude-code/calls.ts'
import { HookFacts } from '../claude-code/hooks.ts'
import { MAX_PROMPT_LENGTH, stepOf } from '../claude-code/ingest.ts'
import { type Call, type Entry, type Rec, newSourceState, type SourceState, unanswered } from '../claude-code/model.ts'
import { Outputs } from '../claude-code/output.ts'
import { cut, detach, firstLine, textOrNull } from '../claude-code/record.ts'
import { addToList } from '../claude-code/order.ts'
import { rowOf } from '../claude-code/rows.ts'
import { deriveTrace } from '../claude-code/trace.ts'
import type { Reader, ReaderAnalyser, ReaderSource, OutputOptions } from '../reader.ts'
import { byExitCode, type Dialect, type Facts, type Json, type Message, type Part, type RecordContent, type Usage } from './dialect.ts'

export interface DialectReaderOptions {
  agent: Agent
  traceId: string
  sessionId: string
  analysers: ReaderAnalyser[]
}

/** A message as last written, or a record without text; `rewindTo` undoes everything from that key on. */
interface Item {
  key: string
  /** "main" or the sub-agent's id. */
  conversation: string
  sort: string
  rec: Rec | null
  rewindTo: string | null
}

interface Source {
  state: SourceState
  /** "main" or the sub-agent's id. */
  conversation: string
  isDocument: boolean
  /** Bytes of a document, which can only be parsed when complete. */
  pieces: Buffer[]
  readBytes: number
  facts: Facts
  /** As in `RecordContent`. */
  root: string | null
  /** How often each text came, so that a copy of the session has the same keys. */
  repeats: Map<string, number>
  headers: Map<string, NonNullable<RecordContent['head']>>
  calls: Map<string, Entry>
  exits: Map<string, number>
  items: Item[]
  usage: Usage[]
}

/**
 * Reads the sessions of agents that write messages one after another. A dialect interprets a record; this reader
 * keeps the last version of each message, attaches results to calls, and passes the conversation to the code that
 * arranges and sums up sessions of all agents.
 */
export class DialectReader implements Reader {
  private readonly dialect: Dialect
  private readonly options: DialectReaderOptions
  private readonly sources = new Map<string, Source>()
  private readonly links = new AgentLinks()
  private readonly hooks = new HookFacts()
  private readonly outputs = new Outputs()
  private errors: DeriveOutput['errors'] = []
  private entryCount = 0

  constructor(dialect: Dialect, options: DialectReaderOptions) {
    this.dialect = dialect
    this.options = options
  }

  get size(): number {
    return this.entryCount
  }

  position(source: Pick<ReaderSource, 'name' | 'generation'>): number {
    return this.sources.get(keyOf(source))?.state.lines.position ?? 0
  }

  noteFile(): void {
    // These agents keep outputs in their records.
  }

  feed(readerSource: ReaderSource, offset: number, bytes: Buffer): void {
    const source = this.sourceOf(readerSource)
    source.state.lines.feed(offset, bytes, (line) => {
      if (source.isDocument) source.pieces.push(line.bytes, NEWLINE)
      else this.readLine(source, line.bytes, line.offset, line.number)
    })
  }

  output(since: string | null, options: OutputOptions = {}): DeriveOutput {
    const { traceId } = this.options
    const sources = this.inOrder()
    for (const source of sources) {
      if (source.isDocument) this.readDocument(source)
      else this.readUnfinished(source)
    }
    const { records, calls } = this.resolveMessages(sources)
    this.analyseOpen(calls)
    const states = sources.map(({ state }) => state)
    const arranged = arrange({ sources: states, records, calls, links: this.links, hooks: this.hooks })
    const responses = responsesOf(sources, this.options.sessionId)
    const trace = deriveTrace({ ...this.options, arranged, responses, sources: states, hooks: this.hooks })
    return this.outputs.make({
      since,
      options,
      trace,
      arranged,
      responses,
      analysers: this.options.analysers,
      rowOf: (placed) => rowOf(traceId, placed, new Map(), this.hooks),
      isMoved: false,
      lines: states.reduce((sum, { lineCount }) => sum + lineCount, 0),
      errors: this.errors.splice(0),
    })
  }

  private sourceOf(readerSource: ReaderSource): Source {
    let source = this.sources.get(keyOf(readerSource))
    if (!source) {
      const conversation = readerSource.kind === 'subagent' ? readerSource.name.replace(/^agent-/, '') : 'main'
      source = {
        state: newSourceState(readerSource, conversation === 'main' ? null : conversation),
        conversation,
        isDocument: readerSource.originalPath.endsWith('.json'),
        pieces: [],
        readBytes: 0,
        facts: { cwd: null, branch: null, version: null, model: null },
        root: null,
        repeats: new Map(),
        headers: new Map(),
        calls: new Map(),
        exits: new Map(),
        items: [],
        usage: [],
      }
      this.sources.set(keyOf(readerSource), source)
    }
    return source
  }

  private inOrder(): Source[] {
    return [...this.sources.values()].toSorted(
      ({ state: { source: a } }, { state: { source: b } }) => a.generation - b.generation || (a.name < b.name ? -1 : 1),
    )
  }

  private readLine(source: Source, bytes: Buffer, offset: number, number: number): void {
    if (bytes.length <= LONGEST_BLANK && bytes.toString('utf8').trim() === '') return
    source.state.lineCount += 1
    const parsed = parseObject(bytes)
    const found = parsed ? [{ ...parsed, start: 0, end: bytes.length }] : wholeRecords(bytes, this.dialect.isRecord)
    for (const one of found) this.readFound(source, one, { bytes: bytes.subarray(one.start, one.end), offset: offset + one.start, number })
    if (parsed === null && hasLostBytes(bytes, found)) {
      const kept = found.length === 0 ? '' : ` The whole records in it were read: ${found.length}.`
      const message = `This line is not a JSON object.${kept} The rest of the file was read; the original bytes are in the archive.`
      this.problem(source, number, 'unreadable', message)
    }
  }

  private readFound(
    source: Source,
    { value, isCut }: FoundRecord,
    { bytes, offset, number }: { bytes: Buffer; offset: number; number: number },
  ): void {
    if (isCut) this.problem(source, number, 'too-deep', TOO_DEEP)
    if (!isUtf8(bytes)) this.problem(source, number, 'invalid-utf8', NOT_UTF8)
    this.readRecord(source, value, { offset, length: bytes.length, number, fingerprint: hash('sha1', bytes) })
  }

  /** A whole record at the end of a file counts although no newline follows it. */
  private readUnfinished(source: Source): void {
    source.state.lines.takeUnfinished(({ bytes, offset, number }) => {
      const used = recordsWithoutNewline(bytes, this.dialect.isRecord).at(-1)?.end ?? 0
      if (used > 0) this.readLine(source, bytes.subarray(0, used), offset, number)
      return used
    })
  }

  private readDocument(source: Source): void {
    const length = source.state.lines.position
    if (source.readBytes === length) return
    const bytes = Buffer.concat([...source.pieces, source.state.lines.unfinishedLine()])
    source.readBytes = length
    source.state.problems = [] // they were found before the document grew
    Object.assign(source, { items: [], usage: [], calls: new Map(), exits: new Map(), headers: new Map(), repeats: new Map() })
    const document = documentIn(bytes)
    if (!document?.isWhole) this.problem(source, 1, 'unreadable', document ? PARTLY_READ : NOT_READ)
    if (!document) return
    source.state.lineCount = 1
    if (document.isCut) this.problem(source, 1, 'too-deep', TOO_DEEP)
    if (!isUtf8(bytes)) this.problem(source, 1, 'invalid-utf8', NOT_UTF8)
    this.readRecord(source, document.value, { offset: 0, length, number: 1, fingerprint: hash('sha1', bytes) })
  }

  private readRecord(source: Source, record: Json, place: Place): void {
    const content = this.dialect.read(record)
    Object.assign(source.facts, content.facts)
    if (content.problem) this.problem(source, place.number, 'unreadable', content.problem)
    if (content.root) source.root = content.root
    if (content.title) source.state.titles.push({ kind: 'ai', text: content.title, leaf: null })
    if (content.head) {
      source.headers.set(content.head.id, content.head)
      if (content.head.cwd !== null) source.facts.cwd = content.head.cwd
    }
    for (const { id, code } of content.exits ?? []) source.exits.set(id, code)
    for (const { agent, call, type, description } of content.links ?? []) {
      this.links.linkCall(agent, call)
      if (type ?? description) this.links.setMeta(agent, source.state.source.generation, { agentType: type, description, toolUseId: call })
    }
    for (const usage of content.usage ?? []) source.usage.push({ ...usage, model: usage.model ?? source.facts.model })
    if (content.rewindTo !== undefined)
      source.items.push({ key: '', conversation: source.conversation, sort: '', rec: null, rewindTo: content.rewindTo })
    const lineKey = `${place.fingerprint.slice(0, 16)}:${place.number}`
    if (content.messages.length === 0) {
      const { conversation } = source
      source.items.push({
        key: lineKey,
        conversation,
        sort: '',
        rec: recOf(source, place, lineKey, content.at, conversation),
        rewindTo: null,
      })
      return
    }
    let firstBlock = 0
    for (const [index, message] of content.messages.entries()) {
      const key = message.key ?? (index === 0 ? lineKey : `${lineKey}.${index}`)
      const head = message.of === undefined ? undefined : source.headers.get(message.of)
      const conversation = message.agent ?? source.conversation
      const rec: Rec = { ...recOf(source, place, key, message.at ?? content.at, conversation), firstBlock }
      if (source.root !== null && message.key === null) rec.shared = sharedKey(source, message)
      const sort = message.sort ?? (message.of === undefined ? '' : `${head?.sort ?? message.of} ${key}`)
      for (const [block, part] of message.parts.entries()) this.readPart(source, rec, message, head, part, block)
      firstBlock += message.parts.length
      this.entryCount += rec.entries.length
      source.items.push({ key, conversation, sort, rec, rewindTo: null })
    }
  }

  private readPart(source: Source, rec: Rec, message: Message, head: RecordContent['head'], part: Part, block: number): void {
    const model = message.model ?? head?.model ?? null
    const at = {
      rec,
      given: null,
      byMod: false,
      block,
      messageId: message.messageId,
      model: null,
      text: null,
      textHash: null,
      call: null,
      lastOutput: null,
      isDirty: true,
    }
    if (part.type === 'result') return this.attachResult(source, rec, part, block)
    if (part.type === 'call') {
      const call = callOf(part, source.facts.cwd)
      const entry: Entry = {
        ...at,
        kind: 'call',
        label: labelOf(part.tool, part.input, call.file),
        model: model ?? source.facts.model,
        call,
      }
      rec.entries.push(entry)
      if (part.id !== null) source.calls.set(part.id, entry)
      return
    }
    const kind = part.type === 'text' && head?.role === 'user' ? 'prompt' : part.type
    const isTask = kind === 'prompt' && rec.conversation !== 'main'
    const label = part.label ?? (firstLine(part.text) || null)
    rec.entries.push({
      ...at,
      kind: isTask ? 'notice' : kind,
      label: isTask ? `task: ${firstLine(part.text, 190)}` : label,
      model: kind === 'text' || kind === 'thinking' ? (model ?? source.facts.model) : null,
      text: kind === 'prompt' && !isTask ? cut(part.text.trim(), MAX_PROMPT_LENGTH) : null,
    })
  }

  /** The first result of a call wins. */
  private attachResult(source: Source, rec: Rec, part: Extract<Part, { type: 'result' }>, block: number): void {
    const entry = source.calls.get(part.id)
    if (!entry?.call || entry.call.result) return
    const { call } = entry
    const exit = source.exits.get(part.id)
    const isUndecided = part.outcome.exitCode === null && part.outcome.rejectedBy === null
    call.outcome = isUndecided && exit !== undefined ? byExitCode(exit) : part.outcome
    call.result = { rec: part.endedAt === null ? rec : { ...rec, at: part.endedAt }, block }
    call.outputBytes = Buffer.byteLength(part.text)
    if (call.outcome.success) call.commit = commitOf(call.tool, call.input ?? {}, undefined, part.text)
    entry.isDirty = true
    this.analyse(entry, part.text)
    call.input = null
  }

  private analyse(entry: Entry, output: string | null): void {
    const { analysers, traceId } = this.options
    if (analysers.length === 0) return
    const step = stepOf(traceId, entry.rec.conversation, entry, output, undefined)
    entry.call!.facts = analysers.map(({ analyser, options }) => analyser.analyseStep(step, options))
  }

  private analyseOpen(calls: ReadonlyMap<string, Entry[]>): void {
    for (const entries of calls.values()) for (const entry of entries) if (entry.call!.outcome === null) this.analyse(entry, null)
  }

  /** The valid messages, one ordered chain per conversation, over all generations of its file. */
  private resolveMessages(sources: Source[]): { records: Map<string, Rec>; calls: Map<string, Entry[]> } {
    const records = new Map<string, Rec>()
    const calls = new Map<string, Entry[]>()
    const items = sources.flatMap((source) => source.items)
    const conversations = [...Map.groupBy(items, ({ conversation }) => conversation)].toSorted(mainFirst)
    for (const source of sources) source.state.records = []
    for (const [, conversationItems] of conversations) {
      let parent: string | null = null
      // A thread that repeats its parent's messages does not own them.
      const chain = lastOfEach(conversationItems).filter(({ key }) => !records.has(key))
      for (const rec of chain) {
        rec.parent = parent
        parent = rec.key
        records.set(rec.key, rec)
        for (const entry of rec.entries) {
          const id = entry.call?.toolUseId
          if (!id) continue
          addToList(calls, id, entry)
        }
      }
      const firstSource = chain[0]?.source
      if (firstSource) firstSource.records = [...firstSource.records, ...chain]
    }
    return { records, calls }
  }

  private problem({ state }: Source, line: number, kind: string, message: string): void {
    state.problems.push({ kind, line, message })
    this.errors.push({ file: state.source.originalPath, line, message })
  }
}

interface Place {
  offset: number
  length: number
  number: number
  fingerprint: string
}

const NOT_UTF8 = 'This session is not valid UTF-8 here: invalid bytes are shown as \uFFFD, but unchanged in the archive.'
const TOO_DEEP = `This record has values nested more than ${MAX_DEPTH} levels deep: they are not shown here, but complete in the archive.`
const PARTLY_READ = 'This document is damaged or not complete. Its whole messages were read; the original bytes are in the archive.'
const NOT_READ = 'This document is not JSON, and no whole message was found in it. The original bytes are in the archive.'
/** Only short lines are tested for being blank. */
const LONGEST_BLANK = 64
const NEWLINE = Buffer.from('\n')
const keyOf = ({ name, generation }: Pick<ReaderSource, 'name' | 'generation'>): string => `${name}\0${generation}`

const mainFirst = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  Number(b === 'main') - Number(a === 'main') || (a < b ? -1 : Number(a > b))

/** A message keeps its first position, unless the agent defines an order. */
function lastOfEach(all: Item[]): Rec[] {
  const last = new Map<string, Item & { rec: Rec }>()
  for (const item of all) {
    if (item.rec) last.set(item.key, { ...item, rec: item.rec })
    else if (item.rewindTo !== null && last.has(item.rewindTo)) {
      const keys = [...last.keys()]
      for (const key of keys.slice(keys.indexOf(item.rewindTo))) last.delete(key)
    }
  }
  const items = [...last.values()]
  const sorted = items.some(({ sort }) => sort !== '') ? items.toSorted((a, b) => (a.sort < b.sort ? -1 : Number(a.sort > b.sort))) : items
  return sorted.map(({ rec }) => rec)
}

function recOf(source: Source, { offset, length, number, fingerprint }: Place, key: string, at: number | null, conversation: string): Rec {
  const { facts, state } = source
  return {
    key,
    uuid: key,
    parent: null,
    at,
    agent: conversation,
    conversation,
    fingerprint,
    source: state,
    offset,
    length,
    line: number,
    role: 'other',
    promptId: null,
    cwd: facts.cwd,
    branch: facts.branch,
    version: facts.version,
    entries: [],
    isCopy: false,
  }
}

/** Of a message without an id: a copy of the session writes the same texts in the same order, with new times. */
function sharedKey({ root, repeats }: Source, { parts }: Message): string {
  const content = hash('sha1', JSON.stringify(parts)).slice(0, 16)
  const before = repeats.get(content) ?? 0
  repeats.set(content, before + 1)
  return `${root} ${content} ${before}`
}

function callOf({ id, tool, input }: Extract<Part, { type: 'call' }>, cwd: string | null): Call {
  const isTask = tool === 'task'
  return unanswered({
    toolUseId: id === null ? null : detach(id),
    tool,
    file: fileOf(tool, input, cwd),
    input,
    agentPromptHash: null,
    agentType: isTask ? textOrNull(input.subagent_type) : null,
    agentDescription: isTask ? textOrNull(input.description) : null,
  })
}

/** Each response once, as last written. Undone responses are included, because their tokens were paid for. */
function responsesOf(sources: Source[], sessionId: string): ResponseRow[] {
  const rows = new Map<string, ResponseRow>()
  for (const { usage, conversation, root } of sources.toSorted((a, b) => mainFirst([a.conversation], [b.conversation]))) {
    const hasExactUsage = usage.some(({ isRunning }) => !isRunning)
    for (const one of usage) {
      if (one.isRunning && hasExactUsage) continue
      const { model, input, output, cacheRead, cacheWrite } = one
      // A running total identifies a response only in its own conversation and the copies of that.
      const key = one.isRunning ? `${root ?? `${sessionId} ${conversation}`} ${one.key}` : one.key
      const agent = rows.get(key)?.agent ?? one.agent ?? conversation
      rows.set(key, { key, model, agent, messageId: one.isRunning ? null : one.key, input, output, cacheRead, cacheWrite })
    }
  }
  return [...rows.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}
