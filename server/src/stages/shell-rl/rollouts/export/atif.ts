import type { EpisodeTurn } from '#contracts/entities/rollout.ts'
import { metricsOf, promptOf, type ExportedEpisode, type ExportedSet } from './exported-episode.ts'

/** An episode as a trajectory in ATIF 1.7. Each message of the model is a call of the tool bash. */
export function atifOf(set: ExportedSet, one: ExportedEpisode): unknown {
  const { episode, turns, task } = one
  const steps = [
    ...promptOf(one).map(({ role, content }, index) => ({
      step_id: index + 1,
      timestamp: episode.startedAt,
      source: role === 'system' ? 'system' : 'user',
      message: content,
    })),
    ...turns.map((turn, index) => stepOf(turn, index + 3, set.model)),
  ]
  return {
    schema_version: 'ATIF-v1.7',
    session_id: episode.id,
    agent: { name: 'bashgym-rollout', version: set.version, ...(set.model !== null && { model_name: set.model }) },
    steps,
    final_metrics: {
      ...(episode.inputTokens !== null && { total_prompt_tokens: episode.inputTokens }),
      ...(episode.outputTokens !== null && { total_completion_tokens: episode.outputTokens }),
      ...(episode.costUsd !== null && { total_cost_usd: episode.costUsd }),
      total_steps: steps.length,
    },
    extra: {
      task_id: task.id,
      set_id: set.id,
      group: episode.group,
      attempt: episode.attempt,
      status: episode.status,
      reward: episode.reward,
      advantage: episode.advantage,
      policy: set.policy,
      metrics: metricsOf(one),
    },
  }
}

function stepOf(turn: EpisodeTurn, stepId: number, model: string | null) {
  const call = `call-${turn.no}`
  return {
    step_id: stepId,
    timestamp: turn.at,
    source: 'agent',
    ...(model !== null && { model_name: model }),
    message: turn.text,
    ...(turn.thinking !== '' && { reasoning_content: turn.thinking }),
    tool_calls: [{ tool_call_id: call, function_name: 'bash', arguments: { command: turn.command } }],
    observation: { results: [{ source_call_id: call, content: turn.output }] },
    metrics: {
      prompt_tokens: turn.inputTokens,
      completion_tokens: turn.outputTokens,
      ...(turn.costUsd !== null && { cost_usd: turn.costUsd }),
    },
    llm_call_count: 1,
    extra: { exit_code: turn.exitCode, timed_out: turn.timedOut, truncated: turn.truncated },
  }
}
