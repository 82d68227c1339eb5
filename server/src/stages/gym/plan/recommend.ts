import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { estimateMemory, fitNow } from './memory.ts'
import type { MemoryInput } from './memory-input.ts'
import { generatesAnswers, rowsPerProcess } from './refusals.ts'
import type { CheckedRows } from './rows.job.ts'

export const SHORTEST_RECOMMENDED = 2048
/** Max lengths that can be recommended, in tokens. */
const LENGTHS = [SHORTEST_RECOMMENDED, 4096, 8192, 16_384, 32_768]

/** The lengths beyond this one that a model supports. */
export const longerLengths = (maxLength: number, contextLength: number | null): number[] =>
  LENGTHS.filter((length) => length > maxLength && length <= (contextLength ?? length))

interface Candidate extends Omit<MemoryInput, 'longest' | 'device' | 'model'> {
  model: MemoryInput['model'] & { contextLength: number | null }
  device: ComputeDevice
}

/**
 * The largest max length that these rows can use and that fits into memory, with a smaller micro-batch if necessary. If
 * none fits or the memory is unknown, the smallest length that leaves nothing out. Null if the model generates answers.
 */
export function recommendLength(
  { strategy, settings, model, teacher, device }: Candidate,
  lengths: CheckedRows['lengths'],
): Pick<TrainSettings, 'maxLength' | 'microBatch'> | null {
  if (lengths === null || generatesAnswers({ strategy, settings })) return null
  const useful = LENGTHS.filter((_, at) => at === 0 || LENGTHS[at - 1]! < lengths.longest)
  const allowed = useful.filter((length) => length <= (model.contextLength ?? length))
  const longestAllowed = allowed.at(-1) ?? model.contextLength ?? LENGTHS[0]! // a model may support less than any of them
  const sufficient = allowed.find((length) => length >= (lengths.needed ?? lengths.longest)) ?? longestAllowed
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
      const fits = fitNow(estimateMemory(input), device)
      if (fits === 'yes') return { maxLength, microBatch }
      if (fits === 'unknown') return { maxLength: sufficient, microBatch: settings.microBatch }
    }
  }
  return { maxLength: sufficient, microBatch: settings.microBatch }
}

/** The micro-batch of the settings; if they leave it open, the whole batch, then smaller divisors. */
function microBatches(settings: TrainSettings, least: number): (number | null)[] {
  if (settings.microBatch !== null) return [settings.microBatch]
  const share = rowsPerProcess(settings)
  const smaller = Array.from({ length: share - 1 }, (_, at) => share - 1 - at)
  return [null, ...smaller.filter((size) => size >= least && share % size === 0)]
}
