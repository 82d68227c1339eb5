import type { ExampleOptions, PreferenceRow, ToolSchema } from '#contracts/entities/example.ts'
import type { Database } from '#server/db/open.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import { splitAtAnswer, withoutWeight } from '../curate/candidate.ts'
import { toDroppedRows } from '../versions/examples-reader.ts'
import { countReasons } from '../versions/pool.ts'
import { isAsk } from '../examples/blocks.ts'
import { EarlierWork } from '../examples/earlier-work.ts'
import { makeExamples } from '../examples/make.ts'
import { piecesOf } from '../examples/pieces.ts'
import { locateCalls } from '../examples/retries.ts'
import { blocksOfSegments } from '../examples/segment-blocks.ts'
import type { ExamplesOutput } from '../examples/types.ts'
import { readCuts } from '../segments/read.ts'
import { decisionsOf, type Decision } from './decisions.ts'
import { isWanted, knownOutcome } from './outcomes.ts'
import { reasonToReject, sideText } from './sides.ts'
import type { FoundPair, DroppedCount, Task } from './types.ts'
import { unwantedSteps } from './unwanted.ts'
import type { PairWords } from './words.ts'

interface SessionInput {
  archive: string
  traceId: string
  options: ExampleOptions
}

/** A session's tasks, and the pairs inside it. Null if there is no such trace. For workers. */
export function readMaterial(db: Database, session: SessionInput): { tasks: Task[]; pairs: FoundPair[]; dropped: DroppedCount[] } | null {
  const output = makeExamplesOf(db, session)
  if (!output) return null
  const { trace } = output
  const outcome = session.options.byOutcome ? knownOutcome(db, trace.id) : null
  const tasks = output.examples.map((example): Task => {
    const side = sideText(splitAtAnswer(example.messages).answer)
    const { id: exampleId, repo, tier, quality, prompt, steps } = example
    return { traceId: trace.id, exampleId, agent: trace.agent, repo, tier, outcome, quality, prompt, steps, ...side }
  })
  const reasons: string[] = []
  const pairs: FoundPair[] = []
  for (const decision of readDecisions(db, session, output)) {
    const reason = reasonToReject(sideText(decision.chosenMessages), sideText(decision.rejectedMessages))
    if (reason === null) pairs.push(toPair(decision, output))
    else reasons.push(reason)
  }
  return { tasks, pairs, dropped: countReasons(reasons) }
}

/** The uncleared messages of a pair; null if one of its sides is missing. For workers. */
export function readRow(db: Database, archive: string, pair: FoundPair, options: ExampleOptions): PreferenceRow | null {
  const rejectedSession = { archive, traceId: pair.rejected.traceId, options }
  const rejected = makeExamplesOf(db, rejectedSession)
  if (!rejected) return null
  if (pair.source !== 'task') {
    const decision = readDecisions(db, rejectedSession, rejected).find(({ id }) => id === pair.id)
    if (!decision) return null
    return { prompt: decision.prompt, chosen: decision.chosenMessages, rejected: decision.rejectedMessages, tools: toolsOf(rejected) }
  }
  const chosen = makeExamplesOf(db, { ...rejectedSession, traceId: pair.chosen.traceId })
  const [bad, good] = [exampleOf(rejected, pair.rejected.exampleId), exampleOf(chosen, pair.chosen.exampleId)]
  if (!bad || !good) return null
  const tools = [...bad.tools, ...good.tools.filter(({ function: { name } }) => !bad.tools.some((tool) => tool.function.name === name))]
  return {
    prompt: splitAtAnswer(bad.messages).prompt,
    chosen: splitAtAnswer(good.messages).answer,
    rejected: splitAtAnswer(bad.messages).answer.map(withoutWeight),
    tools,
  }
}

/** The uncleared words of a stored pair; null if its session has changed or is missing. For workers. */
export function readWords(db: Database, archive: string, pair: FoundPair, options: ExampleOptions): PairWords | null {
  const session = { archive, traceId: pair.rejected.traceId, options }
  const output = makeExamplesOf(db, session)
  if (!output) return null
  if (pair.source === 'task') {
    const example = exampleOf(output, pair.rejected.exampleId)
    return example ? { promptText: example.prompt, why: pair.why } : null
  }
  const decision = readDecisions(db, session, output).find(({ id }) => id === pair.id)
  return decision ? toPair(decision, output) : null
}

/** Examples with the label from their session's tier, or with `byOutcome` from what happened after it (null: none), and corrections by the user. For workers. */
export function readLabelled(db: Database, session: SessionInput) {
  const output = makeExamplesOf(db, session)
  if (!output) return null
  const { trace } = output
  const label = isWanted({ tier: trace.tier, outcome: session.options.byOutcome ? knownOutcome(db, trace.id) : null })
  const failed = label === false ? failedSteps(db, session) : new Set<string>()
  return {
    trace,
    segments: output.segments.length,
    dropped: toDroppedRows(trace.id, output.examples, output.excluded),
    examples: output.examples.map((example) => {
      const { prompt, answer } = splitAtAnswer(example.messages)
      return { example, prompt, answer, label, unwanted: label === false ? unwantedSteps(example, failed) : [] }
    }),
    corrections: readDecisions(db, session, output)
      .filter(({ source }) => source === 'correction')
      .map((decision) => ({ decision, tools: toolsOf(output) })),
  }
}

/** Ids of a session's steps that failed by themselves. */
function failedSteps(db: Database, { archive, traceId, options }: SessionInput): ReadonlySet<string> {
  const read = readCuts(db, archive, traceId, { gapMinutes: options.gapMinutes })
  const fullSession = readWhole(db, archive, traceId, { main: true })
  if (!read || !fullSession) return new Set()
  const blocks = [...blocksOfSegments(fullSession.items, read.cuts, options.outputChars)].flatMap((segment) => segment.blocks)
  return new Set(locateCalls(blocks).flatMap(({ call }) => (call.success === false && call.rejectedBy === null ? [call.stepId] : [])))
}

/** When a session began, ms since 1970. */
export function sessionStart(db: Database, traceId: string): number | null {
  return db.prepare<[string], { at: number | null }>('SELECT started_at AS at FROM session_heads WHERE id = ?').get(traceId)?.at ?? null
}

const exampleOf = (output: ExamplesOutput | null, id: string | null) => output?.examples.find((example) => example.id === id)
const toolsOf = ({ examples }: ExamplesOutput): ToolSchema[] => examples[0]?.tools ?? []

/** Includes failed segments, which are needed for rejected sides. */
const makeExamplesOf = (db: Database, session: SessionInput) => makeExamples(db, { ...session, anyOutcome: true })

function readDecisions(db: Database, { archive, traceId, options }: SessionInput, output: ExamplesOutput): Decision[] {
  const read = readCuts(db, archive, traceId, { gapMinutes: options.gapMinutes })
  const fullSession = readWhole(db, archive, traceId, { main: true })
  if (!read || !fullSession || output.examples.length === 0) return []
  const first = output.examples[0]!.messages[0]
  const system = first?.role === 'system' ? first.content : null
  const earlierWork = new EarlierWork()
  const result: Decision[] = []
  for (const { blocks: allBlocks } of blocksOfSegments(fullSession.items, read.cuts, options.outputChars)) {
    for (const piece of piecesOf(allBlocks, read.trace.agent).pieces) {
      const opening = earlierWork.opening()
      const firstPrompt = opening === null ? piece.findIndex(({ prompts }) => prompts.some(isAsk)) : 0
      if (firstPrompt >= 0) result.push(...decisionsOf(piece.slice(firstPrompt), { thinking: options.thinking, system, opening }))
      earlierWork.add(piece)
    }
  }
  return result
}

function toPair({ id, source, why, chosen, rejected, prompt }: Decision, { trace }: ExamplesOutput): FoundPair {
  const side = (stepId: string) => ({ traceId: trace.id, tier: trace.tier, quality: trace.quality, exampleId: null, stepId, steps: 1 })
  return {
    id,
    source,
    why,
    similarity: null,
    repo: trace.repo,
    promptText: prompt.findLast(({ role }) => role === 'user')?.content ?? '',
    chosen: side(chosen.stepId),
    rejected: side(rejected.stepId),
    flags: [],
  }
}
