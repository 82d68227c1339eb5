import type { ComputeDevice, PlanNote, RunRequest } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { microOf } from './refusals.ts'

const note = (level: PlanNote['level'], code: string, message: string, more: Partial<PlanNote> = {}): PlanNote => ({ level, code, message, hint: null, row: null, field: 'processes', apply: null, ...more }) // prettier-ignore

/** Of a run by several processes: whether there is a GPU for each, what makes up a step, and whose memory the plan shows. */
export function* groupNotes(
  { engine }: RunRequest,
  settings: TrainSettings,
  device: ComputeDevice,
  found: readonly ComputeDevice[],
): Generator<PlanNote> {
  const { processes, batchSize } = settings
  if (processes === 1) return
  const gpus = found.filter(({ kind }) => kind === 'cuda').length
  if (device.kind === 'cuda' && engine === 'local' && gpus < processes)
    yield note('refusal', 'no_gpus', `${processes} processes need a GPU each, and ${gpus === 1 ? 'there is 1' : `there are ${gpus}`}.`, { hint: `Set processes to ${gpus}.`, apply: { processes: gpus } }) // prettier-ignore
  const micro = microOf(settings)
  const accumulation = Math.max(1, Math.floor(batchSize / (micro * processes)))
  const whose = device.kind === 'cuda' ? 'each GPU' : 'all processes together'
  yield note('info', 'group', `A step takes ${micro * accumulation * processes} rows: micro-batch ${micro} × accumulation ${accumulation} × ${processes} processes. The memory is that of ${whose}.`) // prettier-ignore
}
