import type { Tier } from './entities/common.ts'
import type { DatasetKind } from './entities/dataset.ts'
import { parseFilter } from './filter.ts'
import type { TrainStrategy } from './trainer.ts'

/** The training strategy that fits each kind of data set. KIND_OF is the reverse mapping. */
export const STRATEGY_OF: Record<DatasetKind, TrainStrategy> = { sft: 'sft', dpo: 'dpo', kto: 'kto', rlvr: 'rlvr', prompts: 'grpo' }
export const KIND_OF: Record<TrainStrategy, DatasetKind> = {
  sft: 'sft',
  dpo: 'dpo',
  kto: 'kto',
  rlvr: 'rlvr',
  grpo: 'prompts',
  distillation: 'prompts',
}

/** Tiers of a new data set if the user names none: only good sessions. Preference data also needs bad sessions, so it uses all tiers. */
export function defaultTiers(kind: DatasetKind, query = ''): Tier[] {
  const namesTiers = parseFilter(query).terms.some(({ field }) => field === 'tier')
  return kind === 'dpo' || kind === 'kto' || namesTiers ? [] : ['gold', 'silver']
}
