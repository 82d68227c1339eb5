import fs from 'node:fs'
import type { TrainSettings } from '#contracts/trainer.ts'

const FP32 = 4
const MOMENTS = 2
/** Bytes of tokenizer and logs. */
const OTHER_BYTES = 20e6

/** Bytes that a run will write: its result and its checkpoints, each with the state of the optimiser. */
export function diskOf(settings: TrainSettings, trainable: number | null, parameters: number | null): number | null {
  if (trainable === null || parameters === null) return null
  const saved = (settings.method.kind === 'full' ? parameters : trainable) * FP32
  const checkpoint = saved + trainable * FP32 * MOMENTS
  const checkpoints = settings.saveSteps === null ? 1 : settings.keepCheckpoints + 1 // the oldest is removed once the next is complete
  return saved + checkpoint * checkpoints + OTHER_BYTES
}

/** Free bytes on the disk of a folder. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
