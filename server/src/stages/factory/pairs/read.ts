import type { ChatMessage, ExampleOptions, PreferenceRow, ToolSchema } from '#contracts/entities/example.ts'
import type { Database } from '#server/db/open.ts'
import { readWhole } from '#server/stages/traces/index.ts'
import { leftOut } from '../build/examples-reader.ts'
import { WorkBefore } from '../examples/before.ts'
import { makeExamples } from '../examples/make.ts'
import { blocksOfSegments } from '../examples/portions.ts'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'
import { readCuts } from '../segments/read.ts'
import { decisionsOf, type Decision } from './decisions.ts'
import { reasonAgainst, sideText } from './sides.ts'
import type { FoundPair, LeftOut, Task } from './types.ts'
import type { PairWords } from './words.ts'

interface Place {
  archive: string
  traceId: string
  options: ExampleOptions
}

/** What a session has for pairs: its tasks, and the decisions inside it. Null when there is no such trace. Worker side. */
export function readMaterial(db: Database, place: Place): { tasks: Task[]; pairs: FoundPair[]; left: LeftOut[] } | null {
  const made = anyOutcome(db, place)
  if (!made) return null
  const { trace } = made
  const tasks = made.examples.map((example): Task => {
    const side = sideText(parts(example).answer)
    const { id: exampleId, repo, tier, quality, prompt, steps } = example
    return { traceId: trace.id, exampleId, agent: trace.agent, repo, tier, quality, prompt, steps, ...side }
  })
  const left = new Map<string, number>()
  const pairs: FoundPair[] = []
  for (const decision of decisions(db, place, made)) {
    const reason = reasonAgainst(sideText(decision.chosenMessages), sideText(decision.rejectedMessages))
    if (reason === null) pairs.push(toPair(decision, made))
    else left.set(reason, (left.get(reason) ?? 0) + 1)
  }
  return { tasks, pairs, left: [...left].map(([reason, count]) => ({ reason, count })) }
}

/** The messages of a pair, uncleared; null when one of its sides is no longer there. Worker side. */
export function rowOf(db: Database, archive: string, pair: FoundPair, options: ExampleOptions): PreferenceRow | null {
  const ofRejected = { archive, traceId: pair.rejected.traceId, options }
  const rejected = anyOutcome(db, ofRejected)
  if (!rejected) return null
  if (pair.source !== 'task') {
    const found = decisions(db, ofRejected, rejected).find(({ id }) => id === pair.id)
    if (!found) return null
    return { prompt: found.prompt, chosen: found.chosenMessages, rejected: found.rejectedMessages, tools: toolsOf(rejected) }
  }
  const chosen = anyOutcome(db, { ...ofRejected, traceId: pair.chosen.traceId })
  const [bad, good] = [exampleOf(rejected, pair.rejected.exampleId), exampleOf(chosen, pair.chosen.exampleId)]
  if (!bad || !good) return null
  const tools = [...bad.tools, ...good.tools.filter(({ function: { name } }) => !bad.tools.some((tool) => tool.function.name === name))]
  return { prompt: parts(bad).prompt, chosen: parts(good).answer, rejected: parts(bad).answer.map(withLoss), tools }
}

/** The words that a stored pair is shown by, uncleared; null when its session has changed or is gone. Worker side. */
export function wordsOf(db: Database, archive: string, pair: FoundPair, options: ExampleOptions): PairWords | null {
  const place = { archive, traceId: pair.rejected.traceId, options }
  const made = anyOutcome(db, place)
  if (!made) return null
  if (pair.source === 'task') {
    const example = exampleOf(made, pair.rejected.exampleId)
    return example ? { promptText: example.prompt, why: pair.why } : null
  }
  const found = decisions(db, place, made).find(({ id }) => id === pair.id)
  return found ? toPair(found, made) : null
}

/** Examples with the label that their session's tier gives (null: none), and what the user refused against what passed. Worker side. */
export function labelledOf(db: Database, place: Place) {
  const made = anyOutcome(db, place)
  if (!made) return null
  const { trace } = made
  const label = trace.tier === 'gold' || trace.tier === 'silver' ? true : trace.tier === 'failed' ? false : null
  return {
    trace,
    segments: made.segments.length,
    left: leftOut(trace.id, made.examples, made.excluded),
    examples: made.examples.map((example) => {
      const { prompt, answer } = parts(example)
      return { example, prompt, answer: label === false ? answer.map(withLoss) : answer, label }
    }),
    corrections: decisions(db, place, made)
      .filter(({ source }) => source === 'correction')
      .map((decision) => ({ decision, tools: toolsOf(made) })),
  }
}

/** A mistake is what the worse side teaches. */
function withLoss(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message
  const { weight: _, ...rest } = message
  return rest
}

/** When a session began, ms since 1970. */
export function startOf(db: Database, traceId: string): number | null {
  return db.prepare<[string], { at: number | null }>('SELECT started_at AS at FROM session_heads WHERE id = ?').get(traceId)?.at ?? null
}

const exampleOf = (made: ExamplesOutput | null, id: string | null) => made?.examples.find((example) => example.id === id)
const toolsOf = ({ examples }: ExamplesOutput): ToolSchema[] => examples[0]?.tools ?? []

/** Examples whatever their outcome: what failed is wanted here too. */
const anyOutcome = (db: Database, place: Place) => makeExamples(db, { ...place, anyOutcome: true })

/** Before the assistant first speaks, and from there on. */
function parts({ messages }: Pick<BuiltExample, 'messages'>): { prompt: ChatMessage[]; answer: ChatMessage[] } {
  const at = messages.findIndex(({ role }) => role === 'assistant')
  return at < 0 ? { prompt: messages, answer: [] } : { prompt: messages.slice(0, at), answer: messages.slice(at) }
}

function decisions(db: Database, { archive, traceId, options }: Place, made: ExamplesOutput): Decision[] {
  const read = readCuts(db, archive, traceId, { gapMinutes: options.gapMinutes })
  const whole = readWhole(db, archive, traceId, { main: true })
  if (!read || !whole || made.examples.length === 0) return []
  const first = made.examples[0]!.messages[0]
  const system = first?.role === 'system' ? first.content : null
  const before = new WorkBefore()
  const found: Decision[] = []
  for (const { blocks: all } of blocksOfSegments(whole.items, read.cuts, options.outputChars)) {
    const opening = before.opening()
    const asked = opening === null ? all.findIndex(({ prompts }) => prompts.length > 0) : 0
    if (asked >= 0) found.push(...decisionsOf(all.slice(asked), { thinking: options.thinking, system, opening }))
    before.add(all)
  }
  return found
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
