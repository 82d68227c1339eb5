import { isTrajectory, trajectoryId } from '#server/stages/capture/index.ts'
import type { Outcome } from '../claude-code/outcome.ts'
import { textOrNull, timeOf, objectOf } from '../claude-code/record.ts'
import { count, objectsOf, UNKNOWN, type Dialect, type Json, type Message, type Part, type RecordContent, type Usage } from './dialect.ts'

/**
 * ATIF 1.0 to 1.8, a trajectory in one document: steps with their calls and results, and the trajectories of sub-agents
 * inside. The format does not record whether a call succeeded; if Bash Gym wrote the document, `extra` of a result does.
 */
export const atif: Dialect = {
  isRecord: isTrajectory,
  read(record) {
    const content: RecordContent = { at: null, messages: [], usage: [], links: [] }
    const agentInfo = objectOf(record.agent)
    const extra = { ...objectOf(agentInfo.extra), ...objectOf(record.extra) }
    const [cwd, branch, model] = [textOrNull(extra.cwd), textOrNull(extra.git_branch), textOrNull(agentInfo.model_name)]
    const version = [textOrNull(agentInfo.name), textOrNull(agentInfo.version)].filter((one) => one !== null).join(' ')
    content.facts = { ...(cwd && { cwd }), ...(branch && { branch }), ...(model && { model }), ...(version && { version }) }
    content.title = textOrNull(extra.title)
    readTrajectory(content, record, { agent: null, name: trajectoryId(record) }, new Set())
    return content
  },
}

/** `name` makes the answer ids of this trajectory unique. */
function readTrajectory(
  content: RecordContent,
  trajectory: Json,
  { agent, name }: { agent: string | null; name: string },
  readIds: Set<string>,
): void {
  const model = textOrNull(objectOf(trajectory.agent).model_name)
  const before = content.usage!.length
  for (const [index, step] of objectsOf(trajectory.steps).entries()) {
    const id = `${agent === null ? '' : `${agent}.`}${index + 1}`
    const answerId = `${name}.${index + 1}`
    content.messages.push(messageOf(step, id, answerId, agent, model))
    content.usage!.push(...usageOf(step, answerId, agent, textOrNull(step.model_name) ?? model))
    content.links!.push(...linksOf(step))
  }
  if (content.usage!.length === before) content.usage!.push(...totalsOf(trajectory, `${name}.all`, agent, model))
  for (const inner of objectsOf(trajectory.subagent_trajectories)) {
    const innerId = textOrNull(inner.trajectory_id)
    if (innerId === null || readIds.has(innerId)) continue
    readIds.add(innerId)
    const agentInfo = objectOf(objectOf(inner.agent).extra)
    const link = content.links!.find((one) => one.agent === innerId)
    if (link) Object.assign(link, { type: textOrNull(agentInfo.type), description: textOrNull(agentInfo.description) })
    readTrajectory(content, inner, { agent: innerId, name: `${name}/${innerId}` }, readIds)
  }
}

function messageOf(step: Json, id: string, answerId: string, agent: string | null, model: string | null): Message {
  const isAnswer = step.source === 'agent'
  return {
    key: id,
    at: timeOf(step.timestamp),
    messageId: isAnswer ? answerId : null,
    model: isAnswer ? (textOrNull(step.model_name) ?? model) : null,
    promptId: null,
    parts: partsOf(step),
    ...(agent !== null && { agent }),
  }
}

function partsOf(step: Json): Part[] {
  const text = textOf(step.message)
  if (step.is_copied_context === true) return text.trim() === '' ? [] : [{ type: 'notice', text, label: 'copied context' }]
  if (step.source !== 'agent') {
    const parts: Part[] = text.trim() === '' ? [] : [step.source === 'user' ? { type: 'prompt', text } : noticeOf(step, text)]
    return [...parts, ...resultsOf(step).map(({ content }): Part => ({ type: 'notice', text: textOf(content), label: 'observation' }))]
  }
  const parts: Part[] = []
  const thinking = textOrNull(step.reasoning_content)
  if (thinking !== null) parts.push({ type: 'thinking', text: thinking })
  if (text.trim() !== '') parts.push({ type: 'text', text })
  const calls = objectsOf(step.tool_calls)
  for (const call of calls) {
    const input = objectOf(call.arguments)
    parts.push({ type: 'call', id: textOrNull(call.tool_call_id), tool: textOrNull(call.function_name) ?? 'unknown', input })
  }
  const results = resultsOf(step)
  for (const result of results) {
    // A result without a call id belongs to the only call.
    const onlyCallId = calls.length === 1 && results.length === 1 ? textOrNull(calls[0]!.tool_call_id) : null
    const id = textOrNull(result.source_call_id) ?? onlyCallId
    if (id === null) {
      if (result.content != null) parts.push({ type: 'notice', text: textOf(result.content), label: 'observation' })
    } else if (result.content != null || result.subagent_trajectory_ref == null) {
      const extra = objectOf(result.extra)
      parts.push({ type: 'result', id, text: textOf(result.content), outcome: outcomeOf(extra), endedAt: timeOf(extra.ended_at) })
    }
  }
  return parts
}

const KINDS = ['compaction', 'error'] as const

function noticeOf(step: Json, text: string): Part {
  const extra = objectOf(step.extra)
  const kind = KINDS.find((one) => one === extra.kind)
  return { type: kind ?? 'notice', text, label: textOrNull(extra.label) ?? 'system' }
}

const REJECTED = ['user', 'rule', 'interrupt'] as const

function outcomeOf(extra: Json): Outcome {
  return {
    success: typeof extra.success === 'boolean' ? extra.success : UNKNOWN.success,
    exitCode: Number.isInteger(extra.exit_code) ? (extra.exit_code as number) : null,
    isError: extra.is_error === true,
    rejectedBy: REJECTED.find((one) => one === extra.rejected_by) ?? null,
  }
}

const resultsOf = (step: Json): Json[] => objectsOf(objectOf(step.observation).results)

const linksOf = (step: Json): NonNullable<RecordContent['links']> =>
  resultsOf(step).flatMap((result) => {
    const call = textOrNull(result.source_call_id)
    return objectsOf(result.subagent_trajectory_ref).flatMap((ref) => {
      const agent = textOrNull(ref.trajectory_id)
      return agent !== null && call !== null ? [{ agent, call }] : []
    })
  })

/** `prompt_tokens` includes tokens read from and written to the cache. */
function usageOf(step: Json, key: string, agent: string | null, model: string | null): Usage[] {
  const metrics = objectOf(step.metrics)
  if (step.source !== 'agent' || step.is_copied_context === true || !hasTokens(metrics.prompt_tokens, metrics.completion_tokens)) return []
  const cacheWrite = count(objectOf(metrics.extra).cache_creation_input_tokens)
  return [tokensOf(key, agent, model, metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens, cacheWrite)]
}

/** For documents that only have totals. */
function totalsOf({ final_metrics }: Json, key: string, agent: string | null, model: string | null): Usage[] {
  const { total_prompt_tokens: prompt, total_completion_tokens: completion, total_cached_tokens: cached } = objectOf(final_metrics)
  return hasTokens(prompt, completion) ? [tokensOf(key, agent, model, prompt, completion, cached, 0)] : []
}

const hasTokens = (...counts: unknown[]): boolean => counts.some((one) => typeof one === 'number')

function tokensOf(
  key: string,
  agent: string | null,
  model: string | null,
  prompt: unknown,
  completion: unknown,
  cached: unknown,
  cacheWrite: number,
): Usage {
  const cacheRead = count(cached)
  return {
    key,
    model,
    input: typeof prompt === 'number' ? Math.max(0, count(prompt) - cacheRead - cacheWrite) : null,
    output: typeof completion === 'number' ? count(completion) : null,
    cacheRead,
    cacheWrite,
    ...(agent !== null && { agent }),
  }
}

/** The text of a message; parts other than text become placeholders. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => (typeof part.text === 'string' ? part.text : `[${textOrNull(part.type) ?? 'attachment'}]`))
    .join('\n')
}
