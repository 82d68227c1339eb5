import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { estimateMemory, fitOf } from './memory.ts'
import type { MemoryInput } from './memory-input.ts'
import { answersItself, shareOf } from './refusals.ts'
import type { RowsFound } from './rows.job.ts'

/** Lengths that are offered, in tokens. */
const LENGTHS = [2048, 4096, 8192, 16_384, 32_768]

interface Place extends Omit<MemoryInput, 'longest' | 'device' | 'model'> {
  model: MemoryInput['model'] & { contextLength: number | null }
  device: ComputeDevice
}

/**
 * The greatest length of use to these rows that fits into the memory, with as small a micro-batch as that takes. Where
 * none does, or memory is not known, the least with which nothing is left out. Null: rows have no length of their own.
 */
export function recommendLength(
  { strategy, settings, model, teacher, device }: Place,
  lengths: RowsFound['lengths'],
): Pick<TrainSettings, 'maxLength' | 'microBatch'> | null {
  if (lengths === null || answersItself({ strategy, settings })) return null
  const useful = LENGTHS.filter((_, at) => at === 0 || LENGTHS[at - 1]! < lengths.longest)
  const allowed = useful.filter((length) => length <= (model.contextLength ?? length))
  const most = allowed.at(-1) ?? model.contextLength ?? LENGTHS[0]! // a model may take less than any of them
  const enough = allowed.find((length) => length >= (lengths.needed ?? lengths.longest)) ?? most
  for (const maxLength of allowed.slice(1).toReversed()) {
    for (const microBatch of microBatches(settings, strategy === 'kto' ? 2 : 1)) {
      const input = {
        strategy,
        settings: { ...settings, maxLength, microBatch },
        model,
        teacher,
        longest: lengths.longest,
        device: device.kind,
      }
      const fits = fitOf(estimateMemory(input), device)
      if (fits === 'yes') return { maxLength, microBatch }
      if (fits === 'unknown') return { maxLength: enough, microBatch: settings.microBatch }
    }
  }
  return { maxLength: enough, microBatch: settings.microBatch }
}

/** The micro-batch as it is set, then smaller ones that divide the batch. */
function microBatches(settings: TrainSettings, least: number): (number | null)[] {
  if (settings.microBatch !== null) return [settings.microBatch]
  const share = shareOf(settings)
  const smaller = Array.from({ length: share - 1 }, (_, at) => share - 1 - at)
  return [null, ...smaller.filter((size) => size >= least && share % size === 0)]
}
