import type { TrainStrategy } from '#contracts/trainer.ts'
import type { Line } from './plot.ts'

interface PanelMetric {
  name: string
  label: string
  look: Line['look']
  /** Metric with the standard deviation of this one. */
  spread?: string
}

/** One picture: metrics that share a unit and a scale. */
export interface Panel {
  id: string
  title: string
  /** What a value of it is. */
  unit: string
  metrics: readonly PanelMetric[]
}

const one = (id: string, title: string, unit: string, label = 'training', look: Line['look'] = 'smooth'): Panel => ({
  id,
  title,
  unit,
  metrics: [{ name: id, label, look }],
})
const several = (id: string, title: string, unit: string, metrics: readonly (readonly [name: string, label: string])[]): Panel => ({
  id,
  title,
  unit,
  metrics: metrics.map(([name, label]) => ({ name, label, look: 'smooth' })),
})
const BAND = 'mean of a batch, band: one standard deviation'

/** What the loss of a strategy is: they share nothing but the name. */
const LOSS_UNITS: Record<TrainStrategy, string> = {
  sft: 'nats a token',
  dpo: 'nats a pair; 0.69 is a coin toss',
  kto: 'from 0 to 1; 0.5 is where it begins',
  grpo: 'objective of the policy: no measure of learning, the reward is',
  rlvr: 'objective of the policy: no measure of learning, the reward is',
  distillation: 'distance from the teacher, nats a token',
}

/** Pictures in their order; only those are drawn of which the run has something. Names are TRL's own. */
const panelsFor = (strategy: TrainStrategy | null): readonly Panel[] => {
  const isKto = strategy === 'kto'
  const loss = one('loss', 'Loss', strategy === null ? 'each strategy by its own measure' : LOSS_UNITS[strategy])
  const followsRewards = strategy === 'grpo' || strategy === 'rlvr'
  return [
    ...(followsRewards ? [] : [loss]),
    {
      id: 'reward',
      title: 'Reward',
      unit: BAND,
      metrics: [{ name: 'reward', label: 'training', look: 'smooth', spread: 'reward_std' }],
    },
    several(
      'rewards',
      isKto ? 'Rewards of answers' : 'Rewards of a pair',
      'log-probability against the base model, times beta',
      isKto
        ? [
            ['rewards/chosen', 'wanted'],
            ['rewards/rejected', 'not wanted'],
          ]
        : [
            ['rewards/chosen', 'chosen'],
            ['rewards/rejected', 'rejected'],
          ],
    ),
    one('rewards/margins', 'Margin', isKto ? 'reward of wanted less not wanted answers' : 'reward of chosen less rejected'),
    one('rewards/accuracies', 'Preference accuracy', 'share of pairs whose chosen side wins'),
    one('frac_reward_zero_std', 'Groups without spread', 'share of groups whose answers all got the same reward'),
    one('kl', 'Distance from the base model', `KL divergence, nats ${isKto ? 'an answer' : 'a token'}`),
    several('lengths', 'Length of answers', 'tokens', [
      ['completions/mean_length', 'mean'],
      ['completions/min_length', 'shortest'],
      ['completions/max_length', 'longest'],
    ]),
    one('completions/clipped_ratio', 'Answers cut off', 'share that reached the longest length'),
    ...(followsRewards ? [loss] : []),
    one('learning_rate', 'Learning rate', 'size of a step', 'training', 'line'),
    one('grad_norm', 'Gradient norm', 'before it is clipped'),
    one('tokens_per_sec', 'Tokens a second', 'tokens/s', 'training', 'line'),
    one('mean_token_accuracy', 'Token accuracy', 'share of trained tokens guessed right'),
    one('entropy', 'Entropy', 'nats a token'),
  ]
}

/** Of an evaluation itself, not of the model. */
const OF_THE_MACHINE = /^eval_(runtime|samples_per_second|steps_per_second|num_tokens)$/

/**
 * Pictures of a run with these metrics: each with what its evaluations measured, each term of a reward with one of its
 * own, and at the end what no picture knows. Runs of several strategies side by side have none: null.
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
  const known = panelsFor(strategy)
  const at = known.findIndex(({ id }) => id === 'reward')
  const main = known.toSpliced(at + 1, 0, ...rewards).flatMap((panel): Panel[] => {
    // of a bundle of curves only the first one's evaluation: more could not be told apart
    const judged = panel.metrics.slice(0, panel.metrics.length > 2 ? 1 : 2)
    const metrics = [...panel.metrics, ...judged.map(evaluated)].filter(({ name }) => has.has(name))
    return metrics.length > 0 ? [{ ...panel, metrics }] : []
  })
  const drawn = new Set(main.flatMap(({ metrics }) => metrics.flatMap(({ name, spread }) => (spread ? [name, spread] : [name]))))
  const more = names
    .filter((name) => !drawn.has(name) && !OF_THE_MACHINE.test(name))
    .toSorted()
    .map((name) => one(name, name, 'as the trainer names it', name))
  return { main, more }
}

const evaluated = ({ name, label }: PanelMetric): PanelMetric => ({
  name: `eval_${name}`,
  label: label === 'training' ? 'evaluation' : `${label}, evaluation`,
  look: 'dots',
})
