import { describe, expect, test } from 'vitest'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { panelsOf } from './panels.ts'

describe('panels', () => {
  const titles = (names: readonly string[], strategy: TrainStrategy | null = 'sft') =>
    panelsOf(names, strategy).main.map(({ title, unit, metrics }) => [title, unit, ...metrics.map(({ label }) => label)])

  test('only measured metrics have charts; reward terms follow the reward; other metrics are kept in "more"', () => {
    const { main, more } = panelsOf(
      ['loss', 'eval_loss', 'reward', 'reward_std', 'rewards/format/mean', 'rewards/format/std', 'odd', 'eval_runtime'],
      'grpo',
    )
    expect(main.map(({ id }) => id)).toEqual(['reward', 'reward-format', 'loss'])
    expect(more.map(({ id }) => id)).toEqual(['odd'])
  })

  test('the loss has the unit of its strategy, and evaluations share the chart of their metric', () => {
    expect(titles(['loss', 'eval_loss'])).toEqual([['Loss', 'nats per token', 'training', 'evaluation']])
    expect(titles(['loss'], 'dpo')).toEqual([['Loss', 'nats per pair; 0.69 is chance level', 'training']])
    expect(titles(['loss'], 'grpo')).toEqual([['Loss', 'policy objective; judge progress by the reward', 'training']])
    expect(titles(['loss'], null)).toEqual([['Loss', 'measured differently by each strategy', 'training']])
  })

  test('KTO shows answer rewards and DPO pair rewards', () => {
    const names = ['rewards/chosen', 'rewards/rejected', 'eval_rewards/chosen', 'kl']
    expect(titles(names, 'dpo')[0]).toEqual([
      'Pair rewards',
      'log-probability relative to the base model, times beta',
      'chosen',
      'rejected',
      'chosen, evaluation',
    ])
    expect(titles(names, 'kto').map(([title, , ...labels]) => [title, ...labels])).toEqual([
      ['Answer rewards', 'wanted', 'unwanted', 'wanted, evaluation'],
      ['Divergence from the base model', 'training'],
    ])
  })

  test('a reward term has a band and its evaluation; a chart of three metrics shows only the first evaluation', () => {
    const lengths = ['mean', 'min', 'max'].flatMap((of) => [`completions/${of}_length`, `eval_completions/${of}_length`])
    const { main } = panelsOf(['reward', 'rewards/exact/mean', 'rewards/exact/std', 'eval_rewards/exact/mean', ...lengths], 'grpo')
    expect(main.find(({ id }) => id === 'reward-exact')?.metrics).toEqual([
      { name: 'rewards/exact/mean', label: 'training', look: 'smooth', spread: 'rewards/exact/std' },
      { name: 'eval_rewards/exact/mean', label: 'evaluation', look: 'dots' },
    ])
    expect(main.find(({ id }) => id === 'lengths')?.metrics.map(({ label }) => label)).toEqual([
      'mean',
      'shortest',
      'longest',
      'mean, evaluation',
    ])
  })

  test('the share of held-out tasks uses the number of tries for its interval, which is not drawn as a curve', () => {
    const { main, more } = panelsOf(['heldout_success_rate', 'heldout_n', 'reward', 'reward_std', 'success_term', 'turns'], 'grpo')
    expect(main[0]?.metrics).toEqual([{ name: 'heldout_success_rate', label: 'held-out tasks', look: 'dots', count: 'heldout_n' }])
    expect(main.map(({ id }) => id)).toEqual(['heldout', 'reward', 'terms', 'episode'])
    expect(more).toEqual([])
  })
})
