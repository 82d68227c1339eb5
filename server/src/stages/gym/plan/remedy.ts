import type { PlanNote } from '#contracts/entities/run.ts'
import { TrainMethod, type TrainSettings } from '#contracts/trainer.ts'
import { estimateMemory } from './memory.ts'
import type { MemoryInput } from './memory-input.ts'
import { rowsPerProcess } from './refusals.ts'

/** Max lengths below this are not suggested, because such short rows contain little of a session. */
const SHORTEST = 256
const ADAPTER = TrainMethod.parse({ kind: 'lora' })

export interface Remedy {
  settings: Partial<Pick<TrainSettings, 'method' | 'microBatch' | 'maxLength'>>
  /** Bytes that the run needs with these settings. */
  total: number
}

/** The smallest change of settings that makes the run fit into this many bytes. Null: the model itself is too large. */
export function remedyFor(input: MemoryInput, freeBytes: number, isAllowed: (settings: TrainSettings) => boolean): Remedy | null {
  for (const change of changesOf(input.settings, isAllowed)) {
    const settings = { ...input.settings, ...change }
    const total = isAllowed(settings) ? (estimateMemory({ ...input, settings })?.total ?? null) : null
    if (total !== null && total <= freeBytes) return { settings: change, total }
  }
  return null
}

/** Changes by growing cost: a smaller micro-batch is only slower, shorter rows lose text, an adapter is another method. */
function* changesOf(settings: TrainSettings, isAllowed: (settings: TrainSettings) => boolean): Generator<Remedy['settings']> {
  const { method, microBatch, maxLength } = settings
  const share = rowsPerProcess(settings)
  const whole = microBatch ?? share
  const smaller = Array.from({ length: whole - 1 }, (_, at) => whole - 1 - at).filter((size) => share % size === 0)
  const rows = smaller.map((size) => ({ microBatch: size })).filter((row) => isAllowed({ ...settings, ...row }))
  const shorter: { maxLength: number }[] = []
  for (let length = Math.floor(maxLength / 2); length >= SHORTEST; length = Math.floor(length / 2)) shorter.push({ maxLength: length })
  const smallestBatch = [{}, ...rows].at(-1)!
  const all = [...rows, ...shorter.map((length) => ({ ...smallestBatch, ...length }))]
  yield* all
  if (method.kind === 'full') for (const change of [{}, ...all]) yield { method: ADAPTER, ...change }
}

/** The changed settings by their path. */
export function applyOf({ settings: { method, ...others } }: Remedy): NonNullable<PlanNote['apply']> {
  return { ...others, ...(method && { 'method.kind': method.kind }) }
}

export function remedyWords(remedy: Remedy | null, bytes: (value: number) => string): string {
  if (remedy === null) return 'No smaller batch fits. Choose a smaller model, or start anyway.'
  const { method, microBatch, maxLength } = remedy.settings
  const steps = [
    ...(method === undefined ? [] : ['choose LoRA']),
    ...(microBatch === undefined ? [] : [`set the micro-batch size to ${microBatch}`]),
    ...(maxLength === undefined ? [] : [`set the max length to ${maxLength}`]),
  ].join(' and ')
  return `${steps.charAt(0).toUpperCase()}${steps.slice(1)}. That needs about ${bytes(remedy.total)}. Or start anyway.`
}
