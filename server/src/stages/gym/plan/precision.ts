import type { TrainMethod } from '#contracts/trainer.ts'

type FloatType = 'float32' | 'bfloat16' | 'float16'
export interface Precision {
  /** Of the base model in memory. */
  weights: FloatType | 'nf4'
  /** Of the figures that go through it. */
  compute: FloatType
}

/** In which types a run holds its weights and computes: the rule of the trainers (`precision.py`); tests/precision.json of theirs holds both to it. */
export function precisionOf(method: TrainMethod, { cuda, bf16 }: { cuda: boolean; bf16: boolean }): Precision {
  if (!cuda) return { weights: 'float32', compute: 'float32' }
  const half = bf16 ? 'bfloat16' : 'float16'
  if (method.kind === 'full') return { weights: method.weights === 'bf16' && bf16 ? 'bfloat16' : 'float32', compute: half }
  return { weights: method.quantized ? 'nf4' : half, compute: half }
}
