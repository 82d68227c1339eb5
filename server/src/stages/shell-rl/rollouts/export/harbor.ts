import { atifOf } from './atif.ts'
import { castOf } from './cast.ts'
import { exceptionOf, metricsOf, type ExportedEpisode, type ExportedSet } from './exported-episode.ts'

/** The files that Harbor writes for a trial, with paths relative to the folder of its job. */
export function harborTrial(set: ExportedSet, one: ExportedEpisode): { path: string; text: string }[] {
  const { episode, task } = one
  const name = `${task.id}__${episode.attempt}`
  const agent = {
    name: 'bashgym-rollout',
    version: set.version,
    model_info: set.model === null ? null : { name: set.model, provider: null },
  }
  const exception = exceptionOf(one)
  const result = {
    id: episode.id,
    task_name: task.id,
    trial_name: name,
    agent_info: agent,
    agent_result: { n_input_tokens: episode.inputTokens, n_output_tokens: episode.outputTokens, cost_usd: episode.costUsd },
    // an episode with an error has no reward, because 0 would count as a failed attempt
    verifier_result: episode.reward === null ? null : { rewards: { reward: episode.reward, ...metricsOf(one) } },
    exception_info: exception && {
      exception_type: exception.type,
      exception_message: exception.message,
      exception_traceback: '',
      occurred_at: endOf(one),
    },
    started_at: episode.startedAt,
    finished_at: endOf(one),
  }
  const files = [
    { path: 'config.json', text: json({ task: { name: task.id }, trial_name: name, agent }) },
    { path: 'result.json', text: json(result) },
    { path: 'agent/trajectory.json', text: json(atifOf(set, one)) },
    { path: 'agent/recording.cast', text: castOf(one) },
    ...(episode.check === null ? [] : [{ path: 'verifier/test-stdout.txt', text: episode.check.outputTail }]),
    ...(episode.reward === null ? [] : [{ path: 'verifier/reward.txt', text: `${episode.reward}\n` }]),
  ]
  return files.map((file) => ({ ...file, path: `${name}/${file.path}` }))
}

export function harborJob(set: ExportedSet, counts: { total: number; errors: number; finishedAt: string | null; startedAt: string }) {
  return [
    { path: 'config.json', text: json({ job_name: set.id, name: set.name, model: set.model, policy: set.policy }) },
    {
      path: 'result.json',
      text: json({
        id: set.id,
        started_at: counts.startedAt,
        finished_at: counts.finishedAt,
        n_total_trials: counts.total,
        stats: { n_trials: counts.total, n_errors: counts.errors },
      }),
    },
  ]
}

const endOf = ({ episode }: ExportedEpisode): string => new Date(Date.parse(episode.startedAt) + episode.durationMs).toISOString()
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
