import { hash } from 'node:crypto'
import type { ExampleOptions, ExcludedSegment, Segment, ToolSchema } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import { readWhole, traceDirOf } from '#server/stages/traces/index.ts'
import { readCuts, toSegments } from '../segments/read.ts'
import { knownTools, toolsOfClient } from '../tool-schemas/index.ts'
import { SeenTools } from '../tool-schemas/infer.ts'
import { readRecorded, type RecordedRequest } from '../tool-schemas/recorded.ts'
import { WorkBefore } from './before.ts'
import type { Block } from './blocks.ts'
import { exampleId } from './id.ts'
import { readOwn, withOwn } from './own.ts'
import { withEnvironment } from './environment.ts'
import { blocksOfSegments } from './portions.ts'
import { renderBlocks, upToAnswer } from './render.ts'
import { mistakesOf } from './retries.ts'
import { splitBlocks } from './split.ts'
import { charsOf, charsPerToken, estimate } from './tokens.ts'
import type { BuiltExample, ExamplesInput, ExamplesOutput } from './types.ts'

/** Instead of the client's own prompt, which is long and the vendor's. */
const SHORT_SYSTEM =
  'You are a coding agent. You work in the project of the user with the tools given: look before you change, make small changes, run what proves them, and say plainly what you did.'

/** A stored session's segments and examples (system.md §6.1, §6.2). Null when there is no such trace. Worker side. */
export function makeExamples(db: Database, input: Omit<ExamplesInput, 'database'>): ExamplesOutput | null {
  return db.transaction(() => make(db, input))() // one state of the rows for everything that is read
}

function make(
  db: Database,
  { archive, traceId, options, cuts: userCuts, anyOutcome = false }: Omit<ExamplesInput, 'database'>,
): ExamplesOutput | null {
  const read = readCuts(db, archive, traceId, { gapMinutes: options.gapMinutes, userCuts })
  if (!read) return null
  const { trace, rev, cuts } = read
  const maker = new Maker(trace, options, anyOutcome, readRecorded(traceDirOf(archive, trace.agent, traceId), trace.clientVersion))
  const prompts = new Map<string, string>()
  const portions = blocksOfSegments(readWhole(db, archive, traceId, { main: true })!.items, cuts, options.outputChars)
  const ofSegments: { index: number; blocks: Block[] }[] = []
  for (const portion of portions) {
    ofSegments.push(portion)
    for (const { prompts: asked } of portion.blocks) for (const { id, text } of asked) prompts.set(id, text)
  }
  const segments = toSegments(traceId, cuts, prompts)
  for (const { index, blocks } of ofSegments) maker.segment(segments[index]!, blocks)
  if (segments.length === 0) maker.excluded.push({ segmentId: null, reason: 'no_steps', detail: null })
  const own = readOwn(db, traceId)
  return { trace, rev, segments, examples: maker.finish().map((example) => withOwn(example, own)), excluded: maker.excluded }
}

type Draft = Omit<BuiltExample, 'tools' | 'tokens' | 'sourceHash' | 'state' | 'edited' | 'original'>

class Maker {
  readonly excluded: ExcludedSegment[] = []
  private readonly drafts: Draft[] = []
  private readonly before = new WorkBefore()
  private readonly seen = new SeenTools()
  private readonly trace: Trace
  private readonly options: ExampleOptions
  private readonly anyOutcome: boolean
  private readonly recorded: RecordedRequest | null

  constructor(trace: Trace, options: ExampleOptions, anyOutcome: boolean, recorded: RecordedRequest | null) {
    this.trace = trace
    this.options = options
    this.anyOutcome = anyOutcome
    this.recorded = recorded
  }

  segment(segment: Segment, all: readonly Block[]): void {
    // Texts before the first prompt have no place in a conversation.
    const asked = this.before.opening() === null ? all.findIndex(({ prompts }) => prompts.length > 0) : 0
    const blocks = asked > 0 ? all.slice(asked) : all
    for (const { calls } of blocks) for (const call of calls) this.seen.add(call.tool, call.input)
    const reason = this.reasonAgainst(segment, blocks)
    if (reason) this.excluded.push({ segmentId: segment.id, ...reason })
    const parts = reason ? [blocks] : splitBlocks(blocks, this.options.maxTurns)
    const isMistake = mistakesOf(blocks, this.options)
    parts.forEach((part, index) => {
      if (!reason) this.part(segment, part, { part: index + 1, parts: parts.length, isMistake })
      this.before.add(part)
    })
  }

  private reasonAgainst(segment: Segment, blocks: readonly Block[]): Pick<ExcludedSegment, 'reason' | 'detail'> | null {
    const { successShare } = segment
    if (!blocks.some(({ id }) => id !== null)) return { reason: 'empty', detail: null }
    if (segment.prompt === null || segment.prompt.trim() === '') return { reason: 'no_prompt', detail: null }
    if (!segment.ownPrompt && !this.options.carryPrompt) return { reason: 'no_own_prompt', detail: null }
    if (this.anyOutcome) return null
    if (successShare === 0) return { reason: 'only_failures', detail: `${segment.steps} steps` }
    if (successShare !== null && successShare < this.options.minSuccessShare) {
      return { reason: 'low_success', detail: `${Math.round(successShare * 100)} % of the steps succeeded` }
    }
    return null
  }

  private part(
    segment: Segment,
    blocks: readonly Block[],
    { part, parts, isMistake }: { part: number; parts: number; isMistake: (block: Block) => boolean },
  ): void {
    const hasPrompt = blocks[0]!.prompts.length > 0
    if (!hasPrompt && part > 1 && !this.options.carryPrompt) {
      this.excluded.push({ segmentId: segment.id, reason: 'no_own_prompt', detail: `part ${part} of ${parts}` })
      return
    }
    const rendered = upToAnswer(
      renderBlocks(blocks, {
        thinking: this.options.thinking,
        system: this.system(),
        opening: hasPrompt ? null : this.before.opening(),
        isMistake,
      }),
    )
    if (rendered.turns === 0) {
      this.excluded.push({ segmentId: segment.id, reason: 'empty', detail: parts > 1 ? `part ${part} of ${parts}` : null })
      return
    }
    if (!this.anyOutcome && rendered.messages.every((message) => message.role !== 'assistant' || message.weight === 0)) {
      this.excluded.push({ segmentId: segment.id, reason: 'only_mistakes', detail: parts > 1 ? `part ${part} of ${parts}` : null })
      return
    }
    const { flags } = rendered
    if (!hasPrompt) flags.add('carried_prompt')
    if (parts > 1) flags.add('split')
    if (this.options.systemPrompt.kind === 'recorded' && this.system() === null) flags.add('system_not_recorded')
    const first = blocks.find(({ calls }) => calls.length > 0)?.calls[0]?.stepId ?? `${segment.firstStepId}#${part}`
    this.drafts.push({
      id: exampleId(this.trace.id, first, part),
      traceId: this.trace.id,
      segmentId: segment.id,
      part,
      repo: this.trace.repo,
      tier: this.trace.tier,
      unverified: this.trace.unverified,
      quality: this.trace.quality,
      prompt: hasPrompt ? blocks[0]!.prompts.at(-1)!.text : segment.prompt!,
      turns: rendered.turns,
      steps: rendered.steps,
      flags: [...flags],
      messages: rendered.messages,
      stepIds: rendered.stepIds,
      trims: rendered.trims,
    })
  }

  private system(): string | null {
    const { systemPrompt } = this.options
    switch (systemPrompt.kind) {
      case 'short':
        return withEnvironment(SHORT_SYSTEM, this.trace)
      case 'own':
        return withEnvironment(systemPrompt.text, this.trace)
      case 'recorded':
        return this.recorded?.system ?? null
      default:
        return null
    }
  }

  /** Tools are those of the client and those that the session used, so they are known when all of it was read. */
  finish(): Omit<BuiltExample, 'state' | 'edited' | 'original'>[] {
    const { tools, inferred } = this.tools()
    const toolChars = JSON.stringify(tools).length
    const ratio = charsPerToken(this.drafts.map(({ messages }) => messages.map(({ content }) => content).join('\n')).join('\n'))
    return this.drafts.map((draft) => {
      const isInferred = draft.messages.some((message) => message.role === 'tool' && inferred.has(message.name))
      return {
        ...draft,
        flags: [...draft.flags, ...(isInferred ? ['tools_inferred'] : [])].toSorted(),
        tools,
        tokens: estimate(charsOf(draft.messages) + toolChars, draft.messages.length, ratio),
        sourceHash: hash('sha256', JSON.stringify(draft.messages)),
      }
    })
  }

  private tools(): { tools: ToolSchema[]; inferred: Set<string> } {
    const isKnown = this.trace.agent === 'claude-code'
    const known = isKnown ? knownTools(this.trace.clientVersion) : new Map<string, ToolSchema>()
    const offered = this.recorded ? [...this.recorded.tools.keys()] : isKnown ? toolsOfClient(this.trace.clientVersion) : []
    const inferred = new Set<string>()
    const tools = [...new Set([...offered, ...this.seen.names()])].toSorted().map((name) => {
      const recorded = this.recorded?.tools.get(name)
      const description = known.get(name)?.function.description ?? 'As recorded by the client.'
      if (recorded) return { type: 'function' as const, function: { name, description, parameters: recorded } }
      const schema = known.get(name)
      if (schema) return schema
      inferred.add(name)
      return this.seen.schema(name)
    })
    return { tools, inferred }
  }
}
