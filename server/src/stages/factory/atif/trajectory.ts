import { isoOf } from '#server/instant.ts'
import type { AppliedPrice } from '#contracts/entities/price.ts'
import { responseCost } from '#server/prices/prices.ts'
import type { ArchivedSession, EntryRow, ResponseRow } from '#server/stages/traces/index.ts'
import type { AtifStep, AtifTrajectory } from './format.ts'

/** The cleared content of an entry. */
export type EntryContent = { text: string } | { input: Record<string, unknown>; output: string | null; hasOutput: boolean }

export interface TrajectoryOptions {
  session: Pick<ArchivedSession, 'trace' | 'entries' | 'responses'>
  /** In the order of the entries. */
  contents: EntryContent[]
  title: string | null
  cwd: string | null
  priceOf: (model: string) => AppliedPrice | null
  notes: string
}

type Subagent = ArchivedSession['trace']['subagents'][number]

/** A step that further entries of the same answer may extend. */
interface OpenStep {
  step: AtifStep
  messageId: string | null
  hasCalls: boolean
}

/** A session as ATIF 1.7: one step per answer, and sub-agents nested in the trajectory that started them. */
export function trajectoryOf(options: TrajectoryOptions): AtifTrajectory | null {
  const { trace, entries } = options.session
  const conversations = Map.groupBy(
    entries.map((row, index) => ({ row, content: options.contents[index]! })),
    ({ row }) => row.agent,
  )
  const callsById = new Map(entries.filter(({ kind }) => kind === 'call').map((row) => [row.id, row]))
  const subagents = trace.subagents.filter(({ id }) => conversations.has(id))
  /** Sub-agents without a known call are nested in the main trajectory. */
  const childrenByAgent = Map.groupBy(subagents, ({ parentStepId }) => callsById.get(parentStepId ?? '')?.agent ?? 'main')
  const visited = new Set<string>()

  const build = (agent: string, subagent: Subagent | null): AtifTrajectory | null => {
    visited.add(agent)
    const responses = responsesBy(options.session.responses.filter((response) => response.agent === agent))
    const children = (childrenByAgent.get(agent) ?? []).filter(({ id }) => !visited.has(id))
    const nested = children.flatMap((child) => build(child.id, child) ?? [])
    const nestedIds = new Set(nested.map(({ trajectory_id }) => trajectory_id))
    const steps = stepsOf(conversations.get(agent) ?? [], {
      responses,
      priceOf: options.priceOf,
      subagentsByCall: Map.groupBy(
        children.filter(({ id, parentStepId }) => parentStepId !== null && nestedIds.has(id)),
        ({ parentStepId }) => parentStepId!,
      ),
      isMain: subagent === null,
    })
    if (steps.length === 0) return null
    const { name, version } = clientOf(trace)
    const model = steps.find((step) => step.model_name !== undefined)?.model_name
    return {
      schema_version: 'ATIF-v1.7',
      session_id: trace.sessionId,
      trajectory_id: subagent?.id ?? trace.traceId,
      agent: {
        name,
        version,
        ...(model !== undefined && { model_name: model }),
        ...(subagent && { extra: withoutUnknown({ type: subagent.type, description: subagent.description }) }),
      },
      steps,
      ...(subagent === null && { notes: options.notes }),
      final_metrics: totalsOf([...new Set(responses.values())], steps, options.priceOf),
      ...(nested.length > 0 && { subagent_trajectories: nested }),
      ...(subagent === null && {
        extra: withoutUnknown({ title: options.title, cwd: options.cwd, git_branch: trace.gitBranch, agent: trace.agent }),
      }),
    }
  }
  return build('main', null)
}

/** The version of an imported trajectory begins with the agent's name. */
function clientOf({ agent, clientVersion }: ArchivedSession['trace']): { name: string; version: string } {
  const match = agent === 'atif' ? /^(.+) (\S+)$/.exec(clientVersion ?? '') : null
  return match ? { name: match[1]!, version: match[2]! } : { name: agent, version: clientVersion ?? 'unknown' }
}

interface Context {
  responses: Map<string, ResponseRow>
  priceOf: TrajectoryOptions['priceOf']
  subagentsByCall: Map<string, Subagent[]>
  isMain: boolean
}

function stepsOf(entries: { row: EntryRow; content: EntryContent }[], context: Context): AtifStep[] {
  const steps: AtifStep[] = []
  const countedResponses = new Set<ResponseRow>()
  let openStep: OpenStep | null = null
  const addStep = (row: EntryRow, source: AtifStep['source'], message: string): AtifStep => {
    const at = isoOf(row.at)
    const step: AtifStep = { step_id: steps.length + 1, ...(at !== null && { timestamp: at }), source, message }
    steps.push(step)
    return step
  }
  for (const { row, content } of entries) {
    if (row.abandoned) continue
    const isAgentEntry = row.kind === 'text' || row.kind === 'thinking' || row.kind === 'call'
    if (!isAgentEntry) {
      const isTask = row.kind === 'notice' && !context.isMain && row.label?.startsWith('task: ') === true
      const isUserEntry = row.kind === 'prompt' || isTask || (row.kind === 'notice' && row.asks !== null)
      const step = addStep(row, isUserEntry ? 'user' : 'system', 'text' in content ? content.text : '')
      if (!isUserEntry) step.extra = withoutUnknown({ kind: row.kind, label: row.label })
      openStep = null
      continue
    }
    if (!openStep || !continuesStep(openStep, row)) {
      openStep = { step: addStep(row, 'agent', ''), messageId: row.messageId, hasCalls: false }
      if (row.model !== null) openStep.step.model_name = row.model
      const response = row.messageId === null ? undefined : context.responses.get(row.messageId)
      if (response && !countedResponses.has(response)) {
        countedResponses.add(response)
        if (response.model !== null) openStep.step.model_name = response.model
        openStep.step.metrics = metricsOf(response, context.priceOf)
      }
    }
    if ('text' in content) appendText(openStep.step, row.kind === 'thinking' ? 'reasoning_content' : 'message', content.text)
    else {
      openStep.hasCalls = true
      addCall(openStep.step, row, content, context)
    }
  }
  return steps
}

/** True if an entry belongs to the same answer. Without ids, text after a call begins the next answer. */
const continuesStep = ({ messageId, hasCalls }: OpenStep, row: EntryRow): boolean =>
  messageId !== null && row.messageId !== null ? messageId === row.messageId : row.kind === 'call' || !hasCalls

function appendText(step: AtifStep, field: 'message' | 'reasoning_content', text: string): void {
  const before = step[field]
  step[field] = typeof before === 'string' && before !== '' ? `${before}\n\n${text}` : text
}

function addCall(step: AtifStep, row: EntryRow, content: Exclude<EntryContent, { text: string }>, { subagentsByCall }: Context): void {
  const calls = (step.tool_calls ??= [])
  const recordedId = row.toolUseId ?? `call-${step.step_id}-${calls.length + 1}`
  const id = calls.some((one) => one.tool_call_id === recordedId) ? `${recordedId}-${calls.length + 1}` : recordedId
  calls.push({ tool_call_id: id, function_name: row.tool ?? 'unknown', arguments: content.input })
  const startedAgents = subagentsByCall.get(row.id) ?? []
  if (!content.hasOutput && startedAgents.length === 0) return
  const outcome = withoutUnknown({
    success: row.success,
    exit_code: row.exitCode,
    is_error: row.isError || null,
    rejected_by: row.rejectedBy,
    ended_at: row.endedAt === row.at ? null : isoOf(row.endedAt),
  })
  step.observation ??= { results: [] }
  step.observation.results.push({
    source_call_id: id,
    ...(content.hasOutput && { content: content.output ?? '', ...(Object.keys(outcome).length > 0 && { extra: outcome }) }),
    ...(startedAgents.length > 0 && {
      subagent_trajectory_ref: startedAgents.map((subagent) => ({ trajectory_id: subagent.id })),
    }),
  })
}

/** Responses by their key, and by the message id in it. */
const responsesBy = (responses: ResponseRow[]): Map<string, ResponseRow> =>
  new Map(responses.toReversed().flatMap((one) => [[one.key, one] as const, [one.key.split('\0')[0]!, one] as const]))

function metricsOf(response: ResponseRow, priceOf: TrajectoryOptions['priceOf']): NonNullable<AtifStep['metrics']> {
  const { output, cacheRead, cacheWrite } = response
  return withoutUnknown({
    prompt_tokens: promptTokens(response),
    completion_tokens: output,
    cached_tokens: cacheRead,
    cost_usd: costOf(response, priceOf),
    extra: cacheWrite ? { cache_creation_input_tokens: cacheWrite } : null,
  })
}

const promptTokens = ({ input, cacheRead, cacheWrite }: ResponseRow): number | null =>
  input === null || cacheRead === null || cacheWrite === null ? null : input + cacheRead + cacheWrite

const costOf = (response: ResponseRow, priceOf: TrajectoryOptions['priceOf']): number | null =>
  responseCost(response.model, response, response.model === null ? null : priceOf(response.model))

/** Totals without nested trajectories, which have their own. */
function totalsOf(
  responses: ResponseRow[],
  steps: AtifStep[],
  priceOf: TrajectoryOptions['priceOf'],
): NonNullable<AtifTrajectory['final_metrics']> {
  return withoutUnknown({
    total_prompt_tokens: sumOf(responses.map(promptTokens)),
    total_completion_tokens: sumOf(responses.map(({ output }) => output)),
    total_cached_tokens: sumOf(responses.map(({ cacheRead }) => cacheRead)),
    total_cost_usd: sumOf(responses.map((one) => costOf(one, priceOf))),
    total_steps: steps.length,
  })
}

/** Null if a value is unknown or there are none. */
const sumOf = (figures: (number | null)[]): number | null =>
  figures.length === 0 ? null : figures.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)

/** Drops null and undefined fields. */
function withoutUnknown<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  } // filtered above
}
