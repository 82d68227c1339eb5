import type { ComputeDevice, PlanNote, RunRequest } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { note } from './note.ts'
import { rowsAtOnce } from './refusals.ts'

/** Notes on several processes: whether each has a GPU, the rows of a step, and which memory the plan shows. */
export function* groupNotes(
  { engine }: RunRequest,
  settings: TrainSettings,
  device: ComputeDevice,
  devices: readonly ComputeDevice[],
): Generator<PlanNote> {
  const { processes, batchSize } = settings
  if (processes === 1) return
  const gpus = devices.filter(({ kind }) => kind === 'cuda').length
  if (device.kind === 'cuda' && engine === 'local' && gpus < processes)
    yield note('refusal', 'no_gpus', `${processes} processes need a GPU each, and ${gpus === 1 ? 'there is 1' : `there are ${gpus}`}.`, `Set processes to ${gpus}.`, { field: 'processes', apply: { processes: gpus } }) // prettier-ignore
  const micro = rowsAtOnce(settings)
  const accumulation = Math.max(1, Math.floor(batchSize / (micro * processes)))
  const memoryOwner = device.kind === 'cuda' ? 'each GPU' : 'all processes together'
  yield note('info', 'group', `A step takes ${micro * accumulation * processes} rows: micro-batch ${micro} × accumulation ${accumulation} × ${processes} processes. The memory shown is for ${memoryOwner}.`, null, { field: 'processes' }) // prettier-ignore
}
