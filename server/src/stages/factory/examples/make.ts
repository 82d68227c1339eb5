import { hash } from 'node:crypto'
import type { ExampleOptions, ExcludedSegment, Segment } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import { readWhole, traceDirOf } from '#server/stages/traces/index.ts'
import { readCuts, toSegments } from '../segments/read.ts'
import { offeredTools } from '../tool-schemas/offered.ts'
import { UsedTools } from '../tool-schemas/infer.ts'
import { readRecorded, type RecordedRequest } from '../tool-schemas/recorded.ts'
import { EarlierWork } from './earlier-work.ts'
import { type Block, isAsk } from './blocks.ts'
import { exampleId } from './id.ts'
import { readUserChanges, withUserChanges } from './user-changes.ts'
import { SHORT_SYSTEM, withEnvironment } from './environment.ts'
import { blocksOfSegments } from './segment-blocks.ts'
import { renderBlocks, upToLastAnswer } from './render.ts'
import { piecesOf } from './pieces.ts'
import { mistakesOf } from './retries.ts'
import { splitBlocks } from './split.ts'
import { charsOf, charsPerToken, estimate } from './tokens.ts'
import type { BuiltExample, ExamplesInput, ExamplesOutput } from './types.ts'

/** A stored session's segments and examples. Null if there is no such trace. For workers. */
export function makeExamples(db: Database, input: Omit<ExamplesInput, 'database'>): ExamplesOutput | null {
  return db.transaction(() => make(db, input))() // one transaction, so that all reads see the same state
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
  const segmentBlocks: { index: number; blocks: Block[] }[] = []
  for (const portion of portions) {
    segmentBlocks.push(portion)
    for (const { prompts: promptsOfBlock } of portion.blocks) for (const { id, text } of promptsOfBlock) prompts.set(id, text)
  }
  const segments = toSegments(traceId, cuts, prompts)
  for (const { index, blocks } of segmentBlocks) maker.addSegment(segments[index]!, blocks)
  if (segments.length === 0) maker.excluded.push({ segmentId: null, reason: 'no_steps', detail: null })
  const userChanges = readUserChanges(db, traceId)
  return {
    trace,
    rev,
    segments,
    examples: maker.finish().map((example) => withUserChanges(example, userChanges)),
    excluded: maker.excluded,
  }
}

/** The prompt, else the last of what came instead of one. */
const promptOf = ({ prompts }: Block): string | null =>
  (prompts.findLast(({ role }) => role === 'prompt') ?? prompts.findLast(isAsk))?.text ?? null

type Draft = Omit<BuiltExample, 'tools' | 'tokens' | 'sourceHash' | 'state' | 'edited' | 'original'>

class Maker {
  readonly excluded: ExcludedSegment[] = []
  private readonly drafts: Draft[] = []
  private readonly earlierWork = new EarlierWork()
  private readonly usedTools = new UsedTools()
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

  addSegment(segment: Segment, allBlocks: readonly Block[]): void {
    // A conversation must start with a prompt, so earlier texts are dropped.
    const firstPrompt = this.earlierWork.opening() === null ? allBlocks.findIndex(({ prompts }) => prompts.some(isAsk)) : 0
    const blocks = firstPrompt > 0 ? allBlocks.slice(firstPrompt) : allBlocks
    for (const { calls } of blocks) for (const call of calls) this.usedTools.add(call.tool, call.input)
    const { pieces, unasked } = piecesOf(blocks, this.trace.agent)
    const reason = this.reasonToExclude(segment, pieces.flat())
    if (unasked > 0)
      this.excluded.push({ segmentId: segment.id, reason: 'unasked', detail: `${unasked} ${unasked === 1 ? 'answer' : 'answers'}` })
    if (reason && (reason.reason !== 'empty' || unasked === 0)) this.excluded.push({ segmentId: segment.id, ...reason })
    const parts = reason ? pieces : pieces.flatMap((piece) => splitBlocks(piece, this.options.maxTurns))
    const isMistake = mistakesOf(blocks, this.options)
    parts.forEach((part, index) => {
      if (!reason) this.addPart(segment, part, { part: index + 1, parts: parts.length, isMistake })
      this.earlierWork.add(part)
    })
  }

  private reasonToExclude(segment: Segment, blocks: readonly Block[]): Pick<ExcludedSegment, 'reason' | 'detail'> | null {
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

  private addPart(
    segment: Segment,
    blocks: readonly Block[],
    { part, parts, isMistake }: { part: number; parts: number; isMistake: (block: Block) => boolean },
  ): void {
    const hasPrompt = blocks[0]!.prompts.some(isAsk)
    if (!hasPrompt && part > 1 && !this.options.carryPrompt) {
      this.excluded.push({ segmentId: segment.id, reason: 'no_own_prompt', detail: `part ${part} of ${parts}` })
      return
    }
    const rendered = upToLastAnswer(
      renderBlocks(blocks, {
        thinking: this.options.thinking,
        system: this.systemPrompt(),
        opening: hasPrompt ? null : this.earlierWork.opening(),
        isMistake,
      }),
    )
    if (rendered.turns === 0) {
      this.excluded.push({ segmentId: segment.id, reason: 'empty', detail: parts > 1 ? `part ${part} of ${parts}` : null })
      return
    }
    if (blocks.some(({ byMod }) => byMod) && (this.anyOutcome || blocks.every(({ byMod, id }) => byMod || id === null))) {
      this.excluded.push({ segmentId: segment.id, reason: 'answered_by_mod', detail: parts > 1 ? `part ${part} of ${parts}` : null })
      return
    }
    if (!this.anyOutcome && rendered.messages.every((message) => message.role !== 'assistant' || message.weight === 0)) {
      this.excluded.push({ segmentId: segment.id, reason: 'only_mistakes', detail: parts > 1 ? `part ${part} of ${parts}` : null })
      return
    }
    const { flags } = rendered
    if (!hasPrompt) flags.add('carried_prompt')
    if (parts > 1) flags.add('split')
    if (this.options.systemPrompt.kind === 'recorded' && this.systemPrompt() === null) flags.add('system_not_recorded')
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
      prompt: (hasPrompt ? promptOf(blocks[0]!) : null) ?? segment.prompt!,
      turns: rendered.turns,
      steps: rendered.steps,
      flags: [...flags],
      messages: rendered.messages,
      stepIds: rendered.stepIds,
      trims: rendered.trims,
    })
  }

  private systemPrompt(): string | null {
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

  /** Call after the last segment: the tools include all that the session used. */
  finish(): Omit<BuiltExample, 'state' | 'edited' | 'original'>[] {
    const { tools, inferred } = offeredTools(this.trace, this.recorded, this.usedTools)
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
}
