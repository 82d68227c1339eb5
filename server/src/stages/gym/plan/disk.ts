import fs from 'node:fs'
import type { TrainSettings } from '#contracts/trainer.ts'

const FP32 = 4
const MOMENTS = 2
/** Tokenizer, logs, curves. */
const BESIDE = 20e6

/** Bytes that a run will write: its result, and the most checkpoints that are kept at once, each with the state of the optimiser. */
export function diskOf(settings: TrainSettings, trainable: number | null, parameters: number | null): number | null {
  if (trainable === null || parameters === null) return null
  const saved = (settings.method.kind === 'full' ? parameters : trainable) * FP32
  const checkpoint = saved + trainable * FP32 * MOMENTS
  const checkpoints = settings.saveSteps === null ? 1 : settings.keepCheckpoints + 1 // the oldest goes once the next is whole
  return saved + checkpoint * checkpoints + BESIDE
}

/** Bytes that are free where a folder is, or would be. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
