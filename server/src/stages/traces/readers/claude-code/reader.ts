import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { MAX_DEPTH } from '#server/shallow-json.ts'
import { hasLostBytes, type JsonObject, parseObject, recordsWithoutNewline, wholeRecords } from '#server/whole-records.ts'
import type { DeriveOutput } from '../../derived.ts'
import type { Reader, ReaderAnalyser, ReaderSource, OutputOptions } from '../reader.ts'
import { AgentLinks } from './agents.ts'
import { arrange, type Arranged } from './arrange.ts'
import { contentHash } from './content-hash.ts'
import { HookFacts } from './hooks.ts'
import { agentOfPath, attachResult, isByMod, readRecord, stepOf, type FoundResult } from './ingest.ts'
import { type Line } from './lines.ts'
import { contradictionIn, isPreferred, newSourceState, type Entry, type Rec, type SourceState } from './model.ts'
import { asRecord, isObject, isTranscriptRecord, textOrNull, timeOf, type RawRecord } from './record.ts'
import { Outputs } from './output.ts'
import { addToList } from './order.ts'
import { rowOf } from './rows.ts'
import { deriveTrace } from './trace.ts'
import { Responses } from './usage.ts'

export interface ClaudeCodeReaderOptions {
  traceId: string
  sessionId: string
  analysers: ReaderAnalyser[]
}

const NO_ENTRIES: Entry[] = []

/** Bulky records that no row needs: recorded API requests and file checkpoints. Recognised before parsing. */
const UNPARSED = ['api-request', 'file-history-'].map((type) => Buffer.from(`{"type":"${type}`))
/** The third byte of these records; most other records have a different one. */
const UNPARSED_THIRD_BYTE = 116
/** Such a record has no uuid: one in its line belongs to a record that was written into the same line. */
const UUID = Buffer.from('"uuid":')

/** Reads the transcripts of Claude Code, from 1.0.128 to 2.1.329. */
export class ClaudeCodeReader implements Reader {
  private readonly options: ClaudeCodeReaderOptions
  private readonly sources = new Map<string, SourceState>()
  private readonly spills = new Map<string, { source: string; generation: number; length: number }>()
  /** By uuid; several if copies in sub-agent files or different records share it. */
  private readonly records = new Map<string, Rec | Rec[]>()
  private readonly calls = new Map<string, Entry[]>()
  private readonly waitingResults = new Map<string, FoundResult[]>()
  private readonly responses = new Responses()
  private readonly links = new AgentLinks()
  private readonly hooks = new HookFacts()
  private readonly strings = new Map<string, string>()
  /** The request of each message id: some gateways give several responses the same one. */
  private readonly requests = new Map<string, { messageId: string; requestId: string | null }>()
  private entrypoint: string | null = null
  private entryCount = 0
  private errors: DeriveOutput['errors'] = []
  private readonly outputs = new Outputs()
  /** Rows that were already returned have new archive positions: another copy of a record is now preferred, or an output got its file. */
  private isMoved = false

  constructor(options: ClaudeCodeReaderOptions) {
    this.options = options
  }

  get size(): number {
    return this.entryCount
  }

  position(source: Pick<ReaderSource, 'name' | 'generation'>): number {
    return this.sources.get(sourceKey(source))?.lines.position ?? 0
  }

  noteFile(source: ReaderSource, bytes: number): void {
    if (source.kind !== 'tool-result') return
    const file = source.originalPath.slice(Math.max(source.originalPath.lastIndexOf('/'), source.originalPath.lastIndexOf('\\')) + 1)
    const known = this.spills.get(file)
    if (known && known.generation > source.generation) return
    this.isMoved ||= known?.generation !== source.generation || known.length !== bytes
    this.spills.set(file, { source: source.name, generation: source.generation, length: bytes })
  }

  feed(source: ReaderSource, offset: number, bytes: Buffer): void {
    if (source.kind === 'tool-result') return this.noteFile(source, offset + bytes.length)
    const state = this.stateOf(source)
    if (source.kind === 'meta') {
      state.lines.feed(offset, bytes, (line) => this.readMeta(state, line.bytes))
      // A meta file is one JSON object without a newline at its end.
      this.readMeta(state, state.lines.unfinishedLine())
      return
    }
    const read = source.kind === 'hooks' ? (line: Line) => this.readHook(line) : (line: Line) => this.readLine(state, line)
    state.lines.feed(offset, bytes, read)
  }

  output(since: string | null, options: OutputOptions = {}): DeriveOutput {
    for (const state of this.sources.values()) this.readUnfinished(state)
    this.analyseOpenCalls()
    const arranged = arrange({
      sources: [...this.sources.values()],
      records: this.records,
      calls: this.calls,
      links: this.links,
      hooks: this.hooks,
    })
    const { traceId } = this.options
    const responses = this.responses.rows(
      (agent) => arranged.counts(agent),
      (agent) => arranged.nameOf(agent),
    )
    const trace = deriveTrace({
      ...this.options,
      agent: 'claude-code',
      entrypoint: this.entrypoint,
      arranged,
      responses,
      sources: [...this.sources.values()],
      hooks: this.hooks,
    })

    const output = this.outputs.make({
      since,
      options,
      trace,
      arranged,
      responses,
      analysers: this.options.analysers,
      rowOf: (placed) => rowOf(traceId, placed, this.spills, this.hooks),
      isMoved: this.isMoved,
      lines: this.countLines(arranged),
      errors: this.errors.splice(0),
    })
    this.isMoved = false
    return output
  }

  private stateOf(source: ReaderSource): SourceState {
    const key = sourceKey(source)
    let state = this.sources.get(key)
    if (!state) {
      state = newSourceState(source, source.kind === 'subagent' || source.kind === 'meta' ? agentOfPath(source.originalPath) : null)
      this.sources.set(key, state)
    }
    return state
  }

  private readMeta(state: SourceState, bytes: Buffer): void {
    const meta = parse(bytes)
    if (state.agentId !== null && isObject(meta)) this.links.setMeta(state.agentId, state.source.generation, meta)
  }

  private readHook(line: Line): void {
    const payload = parse(line.bytes)
    if (!isObject(payload)) return
    this.hooks.read(payload)
    const id = textOrNull(payload.tool_use_id)
    // The hook's duration gives the end time of a result that has none.
    for (const { call } of (id && this.calls.get(id)) || [])
      this.isMoved ||= call!.result?.rec.at === null || this.hooks.changedBy(call!) !== call!.changed
    const response = payload.tool_response
    if (typeof payload.tool_use_id === 'string' && isObject(response) && typeof response.agentId === 'string') {
      this.links.linkCall(response.agentId, payload.tool_use_id)
    }
  }

  private readLine(state: SourceState, line: Line): void {
    const { bytes } = line
    if (isBlank(bytes)) return
    state.lineCount += 1
    const isBulky = bytes[2] === UNPARSED_THIRD_BYTE && UNPARSED.some((start) => bytes.subarray(0, start.length).equals(start))
    if (isBulky && !bytes.includes(UUID)) return
    const parsed = parseObject(bytes)
    if (parsed) return this.readValue(state, line, parsed)
    const found = wholeRecords(bytes, isTranscriptRecord)
    for (const { start, end, ...one } of found)
      this.readValue(state, { bytes: bytes.subarray(start, end), offset: line.offset + start, number: line.number }, one)
    if (hasLostBytes(bytes, found)) this.problem(state, line, 'unreadable', whyUnreadable(bytes, found.length))
  }

  /** A whole record at the end of a file counts although no newline follows it. */
  private readUnfinished(state: SourceState): void {
    if (state.source.kind !== 'main' && state.source.kind !== 'subagent') return
    state.lines.takeUnfinished((line) => {
      const used = recordsWithoutNewline(line.bytes, isTranscriptRecord).at(-1)?.end ?? 0
      if (used > 0) this.readLine(state, { ...line, bytes: line.bytes.subarray(0, used) })
      return used
    })
  }

  private readValue(state: SourceState, line: Line, { value, isCut }: { value: JsonObject; isCut: boolean }): void {
    const raw = asRecord(value)
    if (!raw) return
    if (isCut) this.problem(state, line, 'too-deep', TOO_DEEP)
    if (!isUtf8(line.bytes)) this.problem(state, line, 'invalid-utf8', NOT_UTF8)
    const progress: RawRecord['data'] = raw.data
    if (typeof raw.parentToolUseID === 'string' && typeof progress?.agentId === 'string')
      this.links.linkCall(progress.agentId, raw.parentToolUseID)
    const isConversation = raw.type === 'user' || raw.type === 'assistant'
    if (raw.uuid === undefined && !isConversation) return this.readState(state, raw)
    if (state.source.kind === 'main') this.entrypoint ??= textOrNull(raw.entrypoint)?.slice(0, 40) ?? null
    const { rec, isNew } = this.recordOf(state, raw, line)
    // No model behind the API answered: nothing was billed. A copy may have the larger numbers.
    if (!isByMod(raw)) this.responses.add(raw, rec.conversation, rec.agent !== 'main', rec.key)
    if (!isNew) return
    const results = readRecord(raw, rec, this.responseOf(raw))
    this.entryCount += rec.entries.length
    for (const entry of rec.entries) if (entry.call?.toolUseId) this.addCall(entry, entry.call.toolUseId)
    for (const result of results) this.addResult(result)
  }

  /** A record without uuid is state of the session, not conversation. */
  private readState(state: SourceState, raw: RawRecord): void {
    const at = timeOf(raw.timestamp)
    if (at !== null) state.stateTimes.push(at)
    if (raw.type === 'summary' && textOrNull(raw.summary))
      state.titles.push({ kind: 'summary', text: raw.summary!, leaf: raw.leafUuid ?? null })
    else if (raw.type === 'ai-title') addTitle(state, 'ai', raw.aiTitle ?? raw.title)
    else if (raw.type === 'custom-title') addTitle(state, 'custom', raw.customTitle ?? raw.title)
    else if (raw.type === 'queue-operation' && typeof raw.content === 'string' && raw.content.startsWith('{"task_id"')) {
      const task = parse(Buffer.from(raw.content))
      if (isObject(task) && typeof task.task_id === 'string' && typeof task.tool_use_id === 'string')
        this.links.linkCall(task.task_id, task.tool_use_id)
    }
  }

  /** The record of a line, and whether it is not known yet. */
  private recordOf(state: SourceState, raw: RawRecord, line: Line): { rec: Rec; isNew: boolean } {
    const fingerprint = contentHash(raw, line.bytes.length)
    const uuid = raw.uuid ?? `${hash('sha1', line.bytes).slice(0, 16)}:${line.number}`
    const isSide = raw.isSidechain === true || state.source.kind === 'subagent'
    const agent = isSide ? (raw.agentId ?? state.agentId ?? null) : 'main'
    const rec: Rec = {
      key: uuid,
      uuid,
      parent: this.uuidOf(raw.parentUuid ?? raw.logicalParentUuid),
      at: timeOf(raw.timestamp),
      agent,
      conversation: agent ?? this.rootOf(raw, uuid),
      fingerprint,
      source: state,
      offset: line.offset,
      length: line.bytes.length,
      line: line.number,
      role: 'other',
      promptId: this.intern(raw.promptId),
      cwd: this.intern(raw.cwd),
      branch: this.intern(raw.gitBranch),
      version: this.intern(raw.version),
      entries: NO_ENTRIES,
      isCopy: false,
    }
    if (agent === null) state.hasSideChains = true
    const existing = this.records.get(uuid)
    if (existing === undefined) {
      const original = this.originalOf(raw, rec)
      if (original) {
        this.records.set(uuid, original)
        return { rec: original, isNew: false }
      }
      this.records.set(uuid, rec)
      state.records.push(rec)
      return { rec, isNew: true }
    }
    const variants = Array.isArray(existing) ? existing : [existing]
    const identical = variants.find((one) => one.fingerprint === fingerprint && one.agent === agent)
    if (identical) {
      if (identical.source !== state) state.records.push(identical)
      if (isPreferred(state.source, identical.source.source)) {
        Object.assign(identical, { source: state, offset: line.offset, length: line.bytes.length, line: line.number })
        this.isMoved = true
      }
      return { rec: identical, isNew: false }
    }
    this.records.set(uuid, [...variants, rec])
    state.records.push(rec)
    this.errors.push({ file: state.source.originalPath, line: line.number, message: contradictionIn(rec) })
    return { rec, isNew: true }
  }

  /** The record of this session that a copy with an id of its own names as its original. */
  private originalOf({ forkedFrom }: RawRecord, { fingerprint, agent }: Rec): Rec | null {
    const known = typeof forkedFrom?.messageUuid === 'string' ? this.records.get(forkedFrom.messageUuid) : undefined
    return [known ?? []].flat().find((one) => one.fingerprint === fingerprint && one.agent === agent) ?? null
  }

  /** The parent's own id string, if known, so that records share one copy. */
  private uuidOf(uuid: string | null | undefined): string | null {
    if (uuid === null || uuid === undefined) return null
    const known = this.records.get(uuid)
    return (Array.isArray(known) ? known[0]?.uuid : known?.uuid) ?? uuid
  }

  /** Identifies the response of a record: its message id, with the request's if another request has that message id. */
  private responseOf({ message, requestId }: RawRecord): string | null {
    const messageId = textOrNull(message?.id) ?? textOrNull(requestId)
    if (messageId === null) return null
    const known = this.requests.get(messageId)
    if (!known) this.requests.set(messageId, { messageId, requestId: textOrNull(requestId) })
    else if (requestId && known.requestId !== null && known.requestId !== requestId) return `${messageId}~${requestId}`
    return known?.messageId ?? messageId
  }

  /** Root of a side chain in the main file, as far as its records are known. */
  private rootOf(raw: RawRecord, uuid: string): string {
    const parent = raw.parentUuid ? this.records.get(raw.parentUuid) : undefined
    const known = Array.isArray(parent) ? parent[0] : parent
    return known && known.agent === null ? known.conversation : uuid
  }

  private addCall(entry: Entry, id: string): void {
    addToList(this.calls, id, entry)
    for (const result of this.waitingResults.get(id) ?? []) this.attachResult(entry, result)
  }

  private addResult(result: FoundResult): void {
    const { toolUseId, raw } = result
    const structured = raw.toolUseResult
    if (isObject(structured) && typeof structured.agentId === 'string') this.links.linkCall(structured.agentId, toolUseId)
    const entries = this.calls.get(toolUseId)
    if (!entries) {
      addToList(this.waitingResults, toolUseId, result)
      return
    }
    for (const entry of entries) this.attachResult(entry, result)
  }

  private attachResult(entry: Entry, result: FoundResult): void {
    const call = entry.call!
    if (call.result && !isBefore(result.rec, call.result.rec)) return
    const output = attachResult(call, result)
    entry.isDirty = true
    if (call.input !== null && this.options.analysers.length > 0) this.analyse(entry, output, result.raw.toolUseResult)
    call.input = null
  }

  private analyse(entry: Entry, output: string | null, structured: unknown): void {
    const step = stepOf(this.options.traceId, entry.rec.conversation, entry, output, structured)
    entry.call!.facts = this.options.analysers.map(({ analyser, options }) => analyser.analyseStep(step, options))
  }

  private analyseOpenCalls(): void {
    if (this.options.analysers.length === 0) return
    for (const entries of this.calls.values()) {
      for (const entry of entries) if (entry.call!.outcome === null) this.analyse(entry, null, undefined)
    }
  }

  private countLines(arranged: Arranged): number {
    let lines = 0
    for (const state of this.sources.values()) {
      if (state.source.kind === 'main' || (state.source.kind === 'subagent' && arranged.countsSource(state))) lines += state.lineCount
    }
    return lines
  }

  private problem(state: SourceState, line: Line, kind: string, message: string): void {
    state.problems.push({ kind, line: line.number, message })
    this.errors.push({ file: state.source.originalPath, line: line.number, message })
  }

  /** One copy of strings that occur in thousands of records. */
  private intern(text: string | undefined): string | null {
    if (typeof text !== 'string' || text === '') return null
    const known = this.strings.get(text)
    if (known !== undefined) return known
    this.strings.set(text, text)
    return text
  }
}

const sourceKey = ({ name, generation }: Pick<ReaderSource, 'name' | 'generation'>): string => `${name}\0${generation}`

/** Of two results of one call the earlier one wins. */
const isBefore = (a: Rec, b: Rec): boolean => (a.at ?? Infinity) < (b.at ?? Infinity) || (a.at === b.at && a.fingerprint < b.fingerprint)

function addTitle(state: SourceState, kind: 'custom' | 'ai', text: unknown): void {
  if (typeof text === 'string' && text.trim() !== '') state.titles.push({ kind, text: text.trim(), leaf: null })
}

/** Undefined if the bytes are not a JSON object. */
const parse = (bytes: Buffer): unknown => parseObject(bytes)?.value

const NOT_UTF8 = 'This line is not valid UTF-8: invalid bytes are shown as \uFFFD, but unchanged in the archive.'
const TOO_DEEP = `This line has values nested more than ${MAX_DEPTH} levels deep: they are not shown here, but complete in the archive.`

const isBlank = (bytes: Buffer): boolean => {
  if (bytes.length > 64) return false
  for (const byte of bytes) if (byte !== 32 && byte !== 13 && byte !== 9) return false
  return true
}

function whyUnreadable(bytes: Buffer, records: number): string {
  const what = bytes.includes(0) ? 'This line contains NUL bytes and is not JSON.' : 'This line is not a JSON object.'
  const kept = records === 0 ? '' : records === 1 ? ' One whole record in it was read.' : ` ${records} whole records in it were read.`
  return `${what}${kept} The rest of the file was read; the original bytes are in the archive.`
}
