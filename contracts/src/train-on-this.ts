import type { Tier } from './entities/common.ts'
import type { DatasetKind } from './entities/dataset.ts'
import { parseFilter } from './filter.ts'
import type { TrainStrategy } from './trainer.ts'

/** The strategy that a kind of rows is made for, and the kind that a strategy is given. */
export const STRATEGY_OF: Record<DatasetKind, TrainStrategy> = { sft: 'sft', dpo: 'dpo', kto: 'kto', rlvr: 'rlvr', prompts: 'grpo' }
export const KIND_OF: Record<TrainStrategy, DatasetKind> = {
  sft: 'sft',
  dpo: 'dpo',
  kto: 'kto',
  rlvr: 'rlvr',
  grpo: 'prompts',
  distillation: 'prompts',
}

/** Tiers that a data set begins with where nobody names any: good sessions. Preferences need the bad ones too. */
export function defaultTiers(kind: DatasetKind, query = ''): Tier[] {
  const namesTiers = parseFilter(query).terms.some(({ field }) => field === 'tier')
  return kind === 'dpo' || kind === 'kto' || namesTiers ? [] : ['gold', 'silver']
}
