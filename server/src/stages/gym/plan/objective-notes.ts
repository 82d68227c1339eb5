import type { PlanNote, RunRequest } from '#contracts/entities/run.ts'
import { OBJECTIVES, objectiveOf, type ObjectiveValues } from '#contracts/train-knobs.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { note } from './note.ts'

const WORDS: Record<keyof ObjectiveValues, string> = {
  grpoLossType: 'loss',
  epsilon: 'epsilon',
  epsilonHigh: 'upper epsilon',
  scaleRewards: 'reward scaling',
  importanceSamplingLevel: 'importance sampling',
}

/** Notes on settings that make an objective something else than its name says. */
export function* objectiveNotes({ strategy }: Pick<RunRequest, 'strategy'>, settings: TrainSettings): Generator<PlanNote> {
  if (strategy !== 'grpo' && strategy !== 'rlvr') return
  const { objective } = settings
  const [own, used] = [OBJECTIVES[objective], objectiveOf(settings)]
  const changed = (Object.keys(own) as (keyof ObjectiveValues)[]).filter((name) => used[name] !== own[name] && settings[name] !== null)
  if (changed.length > 0) {
    const words = changed.map((name) => `${WORDS[name]} ${used[name]} instead of ${own[name] ?? own.epsilon}`).join(', ')
    const apply = Object.fromEntries(changed.map((name) => [name, null]))
    yield note('info', 'objective_changed', `The objective ${objective} is changed: ${words}.`, 'Choose the objective that you mean, and clear these settings.', { field: 'objective', apply }) // prettier-ignore
  }
  if (used.importanceSamplingLevel === 'sequence' && settings.numIterations === 1)
    yield note('info', 'ratio_is_one', 'With one iteration the ratio of new to old probability is 1 in every step, so gspo learns what grpo learns.', 'Set the iterations to 2 or more, or choose grpo.', { field: 'numIterations', apply: { numIterations: 2 } }) // prettier-ignore
}
