import { isoOf } from '#contracts/instant.ts'
import type { AppliedPrice } from '#contracts/entities/price.ts'
import type { ArchivedSession, EntryRow, ResponseRow } from '#server/stages/traces/index.ts'
import type { AtifStep, AtifTrajectory } from './format.ts'

/** What an entry says, after the gate. */
export type EntryContent = { text: string } | { input: Record<string, unknown>; output: string | null; hasOutput: boolean }

export interface TrajectoryOptions {
  session: Pick<ArchivedSession, 'trace' | 'entries' | 'responses'>
  /** Of the entries, in their order. */
  contents: EntryContent[]
  title: string | null
  cwd: string | null
  priceOf: (model: string) => AppliedPrice | null
  notes: string
}

type Subagent = ArchivedSession['trace']['subagents'][number]

/** An open step takes more of the same answer of the model. */
interface Open {
  step: AtifStep
  messageId: string | null
  hasCalls: boolean
}

/** A session as ATIF 1.7: one answer of the model a step, sub-agents inside the trajectory whose call started them. */
export function trajectoryOf(options: TrajectoryOptions): AtifTrajectory | null {
  const { trace, entries } = options.session
  const conversations = Map.groupBy(
    entries.map((row, index) => ({ row, content: options.contents[index]! })),
    ({ row }) => row.agent,
  )
  const starters = new Map(entries.filter(({ kind }) => kind === 'call').map((row) => [row.id, row]))
  const subagents = trace.subagents.filter(({ id }) => conversations.has(id))
  /** Which trajectory contains which; one without a known call is in the main one. */
  const inside = Map.groupBy(subagents, ({ parentStepId }) => starters.get(parentStepId ?? '')?.agent ?? 'main')
  const done = new Set<string>()

  const make = (agent: string, about: Subagent | null): AtifTrajectory | null => {
    done.add(agent)
    const own = responsesBy(options.session.responses.filter((response) => response.agent === agent))
    const children = (inside.get(agent) ?? []).filter(({ id }) => !done.has(id))
    const inner = children.flatMap((child) => make(child.id, child) ?? [])
    const made = new Set(inner.map(({ trajectory_id }) => trajectory_id))
    const steps = stepsOf(conversations.get(agent) ?? [], {
      responses: own,
      priceOf: options.priceOf,
      refs: Map.groupBy(
        children.filter(({ id, parentStepId }) => parentStepId !== null && made.has(id)),
        ({ parentStepId }) => parentStepId!,
      ),
      isMain: about === null,
    })
    if (steps.length === 0) return null
    const { name, version } = clientOf(trace)
    const model = steps.find((step) => step.model_name !== undefined)?.model_name
    return {
      schema_version: 'ATIF-v1.7',
      session_id: trace.sessionId,
      trajectory_id: about?.id ?? trace.traceId,
      agent: {
        name,
        version,
        ...(model !== undefined && { model_name: model }),
        ...(about && { extra: known({ type: about.type, description: about.description }) }),
      },
      steps,
      ...(about === null && { notes: options.notes }),
      final_metrics: totalsOf([...new Set(own.values())], steps, options.priceOf),
      ...(inner.length > 0 && { subagent_trajectories: inner }),
      ...(about === null && { extra: known({ title: options.title, cwd: options.cwd, git_branch: trace.gitBranch, agent: trace.agent }) }),
    }
  }
  return make('main', null)
}

/** An imported trajectory names its agent in front of its version. */
function clientOf({ agent, clientVersion }: ArchivedSession['trace']): { name: string; version: string } {
  const match = agent === 'atif' ? /^(.+) (\S+)$/.exec(clientVersion ?? '') : null
  return match ? { name: match[1]!, version: match[2]! } : { name: agent, version: clientVersion ?? 'unknown' }
}

interface Context {
  responses: Map<string, ResponseRow>
  priceOf: TrajectoryOptions['priceOf']
  refs: Map<string, Subagent[]>
  isMain: boolean
}

function stepsOf(entries: { row: EntryRow; content: EntryContent }[], context: Context): AtifStep[] {
  const steps: AtifStep[] = []
  const counted = new Set<ResponseRow>()
  let open: Open | null = null
  const begin = (row: EntryRow, source: AtifStep['source'], message: string): AtifStep => {
    const at = isoOf(row.at)
    const step: AtifStep = { step_id: steps.length + 1, ...(at !== null && { timestamp: at }), source, message }
    steps.push(step)
    return step
  }
  for (const { row, content } of entries) {
    const isAgents = row.kind === 'text' || row.kind === 'thinking' || row.kind === 'call'
    if (!isAgents) {
      const isTask = row.kind === 'notice' && !context.isMain && row.label?.startsWith('task: ') === true
      const isUsers = row.kind === 'prompt' || isTask
      const step = begin(row, isUsers ? 'user' : 'system', 'text' in content ? content.text : '')
      if (!isUsers) step.extra = known({ kind: row.kind, label: row.label })
      open = null
      continue
    }
    if (!open || !goesOn(open, row)) {
      open = { step: begin(row, 'agent', ''), messageId: row.messageId, hasCalls: false }
      if (row.model !== null) open.step.model_name = row.model
      const response = row.messageId === null ? undefined : context.responses.get(row.messageId)
      if (response && !counted.has(response)) {
        counted.add(response)
        if (response.model !== null) open.step.model_name = response.model
        open.step.metrics = metricsOf(response, context.priceOf)
      }
    }
    if ('text' in content) appendText(open.step, row.kind === 'thinking' ? 'reasoning_content' : 'message', content.text)
    else {
      open.hasCalls = true
      call(open.step, row, content, context)
    }
  }
  return steps
}

/** The same answer; if it has no id, what is said after a call is the next one. */
const goesOn = ({ messageId, hasCalls }: Open, row: EntryRow): boolean =>
  messageId !== null && row.messageId !== null ? messageId === row.messageId : row.kind === 'call' || !hasCalls

function appendText(step: AtifStep, field: 'message' | 'reasoning_content', text: string): void {
  const before = step[field]
  step[field] = typeof before === 'string' && before !== '' ? `${before}\n\n${text}` : text
}

function call(step: AtifStep, row: EntryRow, content: Exclude<EntryContent, { text: string }>, { refs }: Context): void {
  const calls = (step.tool_calls ??= [])
  const wanted = row.toolUseId ?? `call-${step.step_id}-${calls.length + 1}`
  const id = calls.some((one) => one.tool_call_id === wanted) ? `${wanted}-${calls.length + 1}` : wanted
  calls.push({ tool_call_id: id, function_name: row.tool ?? 'unknown', arguments: content.input })
  const started = refs.get(row.id) ?? []
  if (!content.hasOutput && started.length === 0) return
  const outcome = known({
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
    ...(started.length > 0 && {
      subagent_trajectory_ref: started.map((subagent) => ({ trajectory_id: subagent.id })),
    }),
  })
}

/** By what entries name them: the id of the message, before that of the request. */
const responsesBy = (responses: ResponseRow[]): Map<string, ResponseRow> =>
  new Map(responses.toReversed().flatMap((one) => [[one.key, one] as const, [one.key.split('\0')[0]!, one] as const]))

function metricsOf(response: ResponseRow, priceOf: TrajectoryOptions['priceOf']): NonNullable<AtifStep['metrics']> {
  const { output, cacheRead, cacheWrite } = response
  return known({
    prompt_tokens: promptTokens(response),
    completion_tokens: output,
    cached_tokens: cacheRead,
    cost_usd: costOf(response, priceOf),
    extra: cacheWrite ? { cache_creation_input_tokens: cacheWrite } : null,
  })
}

const promptTokens = ({ input, cacheRead, cacheWrite }: ResponseRow): number | null =>
  input === null || cacheRead === null || cacheWrite === null ? null : input + cacheRead + cacheWrite

function costOf({ model, input, output, cacheRead, cacheWrite }: ResponseRow, priceOf: TrajectoryOptions['priceOf']): number | null {
  const price = model === null ? null : priceOf(model)
  if (price === null || input === null || output === null) return null
  const perMillion =
    input * price.inputPerMTok +
    output * price.outputPerMTok +
    (cacheRead ?? 0) * price.cacheReadPerMTok +
    (cacheWrite ?? 0) * price.cacheWritePerMTok
  return perMillion / 1_000_000
}

/** Of this trajectory alone: those inside have their own. */
function totalsOf(
  responses: ResponseRow[],
  steps: AtifStep[],
  priceOf: TrajectoryOptions['priceOf'],
): NonNullable<AtifTrajectory['final_metrics']> {
  return known({
    total_prompt_tokens: sumOf(responses.map(promptTokens)),
    total_completion_tokens: sumOf(responses.map(({ output }) => output)),
    total_cached_tokens: sumOf(responses.map(({ cacheRead }) => cacheRead)),
    total_cost_usd: sumOf(responses.map((one) => costOf(one, priceOf))),
    total_steps: steps.length,
  })
}

/** A sum with an unknown part is unknown, and so is that of nothing. */
const sumOf = (figures: (number | null)[]): number | null =>
  figures.length === 0 ? null : figures.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)

/** Without what is not known. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  } // what is left is known
}
