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

const one = (id: string, title: string, unit: string, look: Line['look'] = 'smooth'): Panel => ({
  id,
  title,
  unit,
  metrics: [{ name: id, label: title.toLowerCase(), look }],
})

/** Pictures in their order; only those are drawn of which the run has something. Names are TRL's own. */
const PANELS: readonly Panel[] = [
  {
    id: 'loss',
    title: 'Loss',
    unit: 'nats a token',
    metrics: [
      { name: 'loss', label: 'training', look: 'smooth' },
      { name: 'eval_loss', label: 'evaluation', look: 'dots' },
    ],
  },
  {
    id: 'reward',
    title: 'Reward',
    unit: 'mean of a batch, band: one standard deviation',
    metrics: [{ name: 'reward', label: 'reward', look: 'smooth', spread: 'reward_std' }],
  },
  {
    id: 'rewards',
    title: 'Rewards of a pair',
    unit: 'log-probability against the base model, times beta',
    metrics: [
      { name: 'rewards/chosen', label: 'chosen', look: 'smooth' },
      { name: 'rewards/rejected', label: 'rejected', look: 'smooth' },
      { name: 'eval_rewards/chosen', label: 'chosen, evaluation', look: 'dots' },
      { name: 'eval_rewards/rejected', label: 'rejected, evaluation', look: 'dots' },
    ],
  },
  {
    id: 'margins',
    title: 'Margin',
    unit: 'reward of chosen less rejected',
    metrics: [
      { name: 'rewards/margins', label: 'training', look: 'smooth' },
      { name: 'eval_rewards/margins', label: 'evaluation', look: 'dots' },
    ],
  },
  {
    id: 'accuracies',
    title: 'Preference accuracy',
    unit: 'share of pairs whose chosen side wins',
    metrics: [
      { name: 'rewards/accuracies', label: 'training', look: 'smooth' },
      { name: 'eval_rewards/accuracies', label: 'evaluation', look: 'dots' },
    ],
  },
  one('frac_reward_zero_std', 'Groups without spread', 'share of groups whose answers all got the same reward'),
  one('kl', 'Distance from the base model', 'KL divergence, nats'),
  {
    id: 'lengths',
    title: 'Length of answers',
    unit: 'tokens',
    metrics: [
      { name: 'completions/mean_length', label: 'mean', look: 'smooth' },
      { name: 'completions/min_length', label: 'shortest', look: 'line' },
      { name: 'completions/max_length', label: 'longest', look: 'line' },
    ],
  },
  one('completions/clipped_ratio', 'Answers cut off', 'share that reached the longest length'),
  one('learning_rate', 'Learning rate', 'a step', 'line'),
  one('grad_norm', 'Gradient norm', 'before it is clipped'),
  one('tokens_per_sec', 'Tokens a second', 'tokens/s', 'line'),
  {
    id: 'accuracy',
    title: 'Token accuracy',
    unit: 'share of trained tokens guessed right',
    metrics: [
      { name: 'mean_token_accuracy', label: 'training', look: 'smooth' },
      { name: 'eval_mean_token_accuracy', label: 'evaluation', look: 'dots' },
    ],
  },
  {
    id: 'entropy',
    title: 'Entropy',
    unit: 'nats a token',
    metrics: [
      { name: 'entropy', label: 'training', look: 'smooth' },
      { name: 'eval_entropy', label: 'evaluation', look: 'dots' },
    ],
  },
]

/** Of an evaluation itself, not of the model. */
const OF_THE_MACHINE = /^eval_(runtime|samples_per_second|steps_per_second|num_tokens)$/

/** Pictures of a run with these metrics; each term of a reward has its own, and what no picture knows follows at the end. */
export function panelsOf(names: readonly string[]): { main: Panel[]; more: Panel[] } {
  const has = new Set(names)
  const terms = names.flatMap((name) => /^rewards\/(.+)\/mean$/.exec(name)?.[1] ?? []).toSorted()
  const rewards = terms.map((term): Panel => ({
    id: `reward-${term}`,
    title: `Reward: ${term.replaceAll('_', ' ')}`,
    unit: 'mean of a batch, band: one standard deviation',
    metrics: [{ name: `rewards/${term}/mean`, label: term, look: 'smooth', spread: `rewards/${term}/std` }],
  }))
  const known = PANELS.flatMap((panel): Panel[] => {
    const metrics = panel.metrics.filter(({ name }) => has.has(name))
    return metrics.length > 0 ? [{ ...panel, metrics }] : []
  })
  const at = known.findIndex(({ id }) => id === 'reward')
  const main = known.toSpliced(at + 1, 0, ...rewards)
  const drawn = new Set(main.flatMap(({ metrics }) => metrics.flatMap(({ name, spread }) => (spread ? [name, spread] : [name]))))
  const more = names
    .filter((name) => !drawn.has(name) && !OF_THE_MACHINE.test(name))
    .toSorted()
    .map((name) => ({ ...one(name, name, 'as the trainer names it'), metrics: [{ name, label: name, look: 'smooth' as const }] }))
  return { main, more }
}
