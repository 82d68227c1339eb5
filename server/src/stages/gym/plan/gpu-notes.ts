import type { ComputeDevice, PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import { note } from './note.ts'

const CPU = 'or set the device to cpu.'
const refusal = (code: string, message: string, hint: string, field: string) => note('refusal', code, message, hint, { field })

/** GPU problems, reported before the start so that a run neither falls back to the CPU nor fails in its first step. */
export function* gpuNotes(
  { device: asked, method }: TrainSettings,
  device: ComputeDevice,
  { problem, blocked }: Devices,
): Generator<PlanNote> {
  if (blocked && asked !== 'cpu')
    yield refusal('gpu_blocked', problem ?? 'PyTorch cannot use the GPU.', `Install the CUDA build in Settings → Training, or update the driver; ${CPU}`, 'device') // prettier-ignore
  if (device.kind !== 'cuda') return
  const { lacks = {}, bf16 = true } = device
  if (lacks['kernels'])
    yield refusal('no_compiler', `On a GPU, training compiles small programs and needs ${lacks['kernels']}.`, `Install it, then check again in Settings → Training; ${CPU}`, 'device') // prettier-ignore
  const isQuantized = method.kind === 'lora' && method.quantized
  const isHalf = method.kind === 'full' && method.weights === 'bf16'
  if (lacks['bitsandbytes'] && (isQuantized || isHalf)) {
    const what = isQuantized ? '4-bit base weights' : 'The 8-bit optimiser of bf16 weights'
    yield refusal('no_bitsandbytes', `${what} cannot be used: ${lacks['bitsandbytes']}.`, 'Repair the environment in Settings → Training with the CUDA build, which has it.', 'method') // prettier-ignore
  }
  if (isHalf && !bf16)
    yield refusal('no_bf16', `${device.name} does not compute in bf16.`, 'Train all weights in fp32, or choose LoRA.', 'method')
}
