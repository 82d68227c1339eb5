import type { TrainMethod } from '#contracts/trainer.ts'

type FloatType = 'float32' | 'bfloat16' | 'float16'
export interface Precision {
  /** Type of the base weights in memory. */
  weights: FloatType | 'nf4'
  /** Type of the computations. */
  compute: FloatType
}

/** The number types of a run, by the rule of `bashgym_trainers/precision.py`. `server/trainers/tests/precision.json` tests both. */
export function precisionOf(method: TrainMethod, { cuda, bf16 }: { cuda: boolean; bf16: boolean }): Precision {
  if (!cuda) return { weights: 'float32', compute: 'float32' }
  const half = bf16 ? 'bfloat16' : 'float16'
  if (method.kind === 'full') return { weights: method.weights === 'bf16' && bf16 ? 'bfloat16' : 'float32', compute: half }
  return { weights: method.quantized ? 'nf4' : half, compute: half }
}
