import type { TrainStrategy } from '#contracts/trainer.ts'
import { CALL_FIGURES } from '#renderer/app/words/call-figures.ts'
import type { Line } from '#renderer/ui/curves/plot.ts'
import { followsRewards } from '../measured.ts'

interface PanelMetric {
  name: string
  label: string
  look: Line['look']
  /** Metric with the standard deviation of this one. */
  spread?: string
  /** Metric with the number of tries that this is a share of. */
  count?: string
}

/** One chart: metrics that share a unit and a scale. */
export interface Panel {
  id: string
  title: string
  /** What a value means. */
  unit: string
  metrics: readonly PanelMetric[]
}

const single = (id: string, title: string, unit: string, label = 'training', look: Line['look'] = 'smooth'): Panel => ({
  id,
  title,
  unit,
  metrics: [{ name: id, label, look }],
})
const multiple = (id: string, title: string, unit: string, metrics: readonly (readonly [name: string, label: string])[]): Panel => ({
  id,
  title,
  unit,
  metrics: metrics.map(([name, label]) => ({ name, label, look: 'smooth' })),
})
/** A chart of metrics that are measured only at evaluations. */
const evaluations = (id: string, title: string, unit: string, names: readonly (keyof typeof CALL_FIGURES)[]): Panel => ({
  id,
  title,
  unit,
  metrics: names.map((name) => ({ name, label: CALL_FIGURES[name].toLowerCase(), look: 'dots' })),
})
const BAND = 'mean per batch; band: one standard deviation'

/** What the loss measures; losses of different strategies are not comparable. */
const LOSS_UNITS: Record<TrainStrategy, string> = {
  sft: 'nats per token',
  dpo: 'nats per pair; 0.69 is chance level',
  kto: '0 to 1; starts at 0.5',
  grpo: 'policy objective; judge progress by the reward',
  rlvr: 'policy objective; judge progress by the reward',
  distillation: 'divergence from the teacher, nats per token',
}

/** Charts in display order; only those with data are drawn. Names are TRL's. */
const panelsFor = (strategy: TrainStrategy | null): readonly Panel[] => {
  const isKto = strategy === 'kto'
  const loss = single('loss', 'Loss', strategy === null ? 'measured differently by each strategy' : LOSS_UNITS[strategy])
  const hasRewards = followsRewards(strategy)
  return [
    ...(hasRewards ? [] : [loss]),
    evaluations('next-calls', 'Held-out calls', 'share of recorded calls, answered greedily; step 0 is the base model', [
      'eval_arg_f1',
      'eval_exact_call',
      'eval_tool_name',
      'eval_call_parse',
    ]),
    evaluations('next-answers', 'Held-out answers', 'share of recorded answers, answered greedily; step 0 is the base model', [
      'eval_text_or_call',
      'eval_stopped',
    ]),
    {
      id: 'heldout',
      title: 'Held-out tasks solved',
      unit: 'share, tried greedily; step 0 is the base model; band: 95 % interval',
      metrics: [{ name: 'heldout_success_rate', label: 'held-out tasks', look: 'dots', count: 'heldout_n' }],
    },
    {
      id: 'reward',
      title: 'Reward',
      unit: BAND,
      metrics: [{ name: 'reward', label: 'training', look: 'smooth', spread: 'reward_std' }],
    },
    multiple(
      'rewards',
      isKto ? 'Answer rewards' : 'Pair rewards',
      'log-probability relative to the base model, times beta',
      isKto
        ? [
            ['rewards/chosen', 'wanted'],
            ['rewards/rejected', 'unwanted'],
          ]
        : [
            ['rewards/chosen', 'chosen'],
            ['rewards/rejected', 'rejected'],
          ],
    ),
    single('rewards/margins', 'Margin', isKto ? 'reward of wanted minus unwanted answers' : 'reward of chosen minus rejected'),
    single('rewards/accuracies', 'Preference accuracy', 'share of pairs where the chosen answer scores higher'),
    single('success_rate', 'Episodes solved', 'share of the episodes used for training'),
    multiple('terms', 'Terms of the reward', 'mean per episode', [
      ['success_term', 'success'],
      ['exit_penalty', 'non-zero exit codes'],
      ['fail_penalty', 'not solved'],
    ]),
    multiple('episode', 'Turns of an episode', 'commands, mean per episode', [
      ['turns', 'all'],
      ['nonzero_exit_codes', 'with a non-zero exit code'],
    ]),
    multiple('not-ended', 'Episodes that did not end', 'share; a cut-off message is a failure, an episode that could not run is left out', [
      ['corrupted_share', 'cut off'],
      ['error_share', 'could not run'],
    ]),
    single('zero_variance_share', 'Groups without reward variance', 'share of groups whose answers all got the same reward, or none'),
    single('frac_reward_zero_std', 'Groups without reward variance', 'share of groups whose answers all got the same reward'),
    single('kl', 'Divergence from the base model', `KL divergence, nats per ${isKto ? 'answer' : 'token'}`),
    multiple('lengths', 'Answer length', 'tokens', [
      ['completions/mean_length', 'mean'],
      ['completions/min_length', 'shortest'],
      ['completions/max_length', 'longest'],
    ]),
    single('completions/clipped_ratio', 'Truncated answers', 'share that reached the maximum length'),
    ...(hasRewards ? [loss] : []),
    single('learning_rate', 'Learning rate', 'step size', 'training', 'line'),
    single('grad_norm', 'Gradient norm', 'before clipping'),
    single('tokens_per_sec', 'Tokens per second', 'tokens/s', 'training', 'line'),
    single('mean_token_accuracy', 'Token accuracy', 'share of trained tokens predicted correctly'),
    single('entropy', 'Entropy', 'nats per token'),
  ]
}

/** How fast an evaluation ran, which says nothing about the model. */
const SPEED_METRICS = /^eval_(runtime|samples_per_second|steps_per_second|num_tokens)$/

/**
 * The charts of a run with these metrics. An evaluation is drawn in the chart of the metric it measures, each reward
 * term gets a chart, and `more` has the metrics that no chart names. `strategy` is null for runs of several strategies.
 */
export function panelsOf(names: readonly string[], strategy: TrainStrategy | null): { main: Panel[]; more: Panel[] } {
  const has = new Set(names)
  const terms = names.flatMap((name) => /^rewards\/(.+)\/mean$/.exec(name)?.[1] ?? []).toSorted()
  const rewards = terms.map((term): Panel => ({
    id: `reward-${term}`,
    title: `Reward: ${term.replaceAll('_', ' ')}`,
    unit: BAND,
    metrics: [{ name: `rewards/${term}/mean`, label: 'training', look: 'smooth', spread: `rewards/${term}/std` }],
  }))
  const panels = panelsFor(strategy)
  const rewardIndex = panels.findIndex(({ id }) => id === 'reward')
  const main = panels.toSpliced(rewardIndex + 1, 0, ...rewards).flatMap((panel): Panel[] => {
    // in a chart of three or more curves only the first one's evaluation: more dots could not be told apart
    const evaluable = panel.metrics.slice(0, panel.metrics.length > 2 ? 1 : 2)
    const metrics = [...panel.metrics, ...evaluable.map(evaluationOf)].filter(({ name }) => has.has(name))
    return metrics.length > 0 ? [{ ...panel, metrics }] : []
  })
  const drawn = new Set(
    main.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, spread, count }) => [name, ...(spread ? [spread] : []), ...(count ? [count] : [])]),
    ),
  )
  const more = names
    .filter((name) => !drawn.has(name) && !SPEED_METRICS.test(name))
    .toSorted()
    .map((name) => single(name, name, 'named as in the trainer’s log', name))
  return { main, more }
}

const evaluationOf = ({ name, label }: PanelMetric): PanelMetric => ({
  name: `eval_${name}`,
  label: label === 'training' ? 'evaluation' : `${label}, evaluation`,
  look: 'dots',
})
