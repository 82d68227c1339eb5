import { heldoutOf } from '#contracts/heldout.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'

/** Whether a strategy learns from rewards; the others learn from a loss. */
export const followsRewards = (strategy: TrainStrategy | null): boolean => strategy === 'grpo' || strategy === 'rlvr'

/** Whether a run has an evaluation loss, or will have one if there are held-out rows. */
export const measuresEvalLoss = ({ strategy, settings, evalLoss }: Run): boolean =>
  evalLoss !== null || (!followsRewards(strategy) && settings.evalSteps !== null)

export const measuresReward = ({ strategy, metrics }: Run): boolean => followsRewards(strategy) || typeof metrics['reward'] === 'number'

export const triesHeldOut = ({ request, settings, metrics }: Run): boolean =>
  heldoutOf(metrics) !== null || (request.shellTasks?.heldout !== undefined && settings.heldoutTasks > 0)
