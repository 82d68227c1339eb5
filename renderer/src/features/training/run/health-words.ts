import type { RunHealth } from '#contracts/entities/run.ts'
import { formatCount } from '#renderer/ui/format.ts'

interface HealthWords {
  word: string
  /** Ids of the charts that show the problem; the warning is under the first one that is drawn. */
  panels: readonly string[]
}

export const HEALTH_WORDS: Record<RunHealth['code'], HealthWords> = {
  diverged: { word: 'Diverging', panels: ['loss', 'grad_norm'] },
  not_finite: { word: 'Not finite', panels: [] }, // each chart marks its own gaps
  plateau: { word: 'Plateau', panels: ['loss'] },
  overfitting: { word: 'Overfitting', panels: ['loss'] },
  degenerate: { word: 'No better than chance', panels: ['rewards/accuracies'] },
  no_reward_spread: { word: 'No reward variance', panels: ['zero_variance_share', 'frac_reward_zero_std', 'reward'] },
  no_gradient: { word: 'No gradient', panels: ['zero_variance_share', 'frac_reward_zero_std', 'reward'] },
  answers_cut_off: { word: 'Answers no longer end', panels: ['not-ended', 'completions/clipped_ratio'] },
  calls_lost: { word: 'Worse calls than the base model', panels: ['next-calls'] },
  zero_tokens: { word: 'No trained tokens', panels: ['loss'] },
  memory_near_limit: { word: 'Memory nearly full', panels: ['vram', 'memory'] },
  stalled: { word: 'Trainer not responding', panels: [] },
}

/** The warning under a chart; null if there is none. `drawn`: ids of all charts on screen. */
export function wordsUnder(panel: string, drawn: readonly string[], health: readonly RunHealth[]): string | null {
  const words = health.flatMap(({ code, step }) => {
    const { word, panels } = HEALTH_WORDS[code]
    const place = panels.find((id) => drawn.includes(id))
    return place === panel ? [step === null ? word : `${word} since step ${formatCount(step)}`] : []
  })
  return words.length === 0 ? null : `${words.join('; ')}.`
}

/** Name of a figure as words: "usedMb" → "used MB". */
export const evidenceWord = (name: string): string =>
  name
    .replace(/Mb$/, ' MB')
    .replace(/Sec$/, ', in s')
    .replaceAll(/([a-z])([A-Z][a-z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
