import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { Devices } from './index.ts'

/** What the Python for training reports about GPUs (`bashgym_trainers/probe.py`). */
export interface SeenByPython {
  devices: readonly { name: string; freeBytes: number; totalBytes: number; bf16?: boolean | undefined }[]
  gpuProblem?: string | null | undefined
  compiler?: string | null | undefined
  bitsandbytes?: string | null | undefined
}

/**
 * The devices as they can be trained on. The driver's tool knows what is free now; whether a GPU can be used, and for what,
 * only the Python that will run knows. `seen` is asked only if there is a GPU; null: there is no Python yet to ask.
 */
export async function usableDevices(found: Devices, seen: (names: string[]) => Promise<SeenByPython | null>): Promise<Devices> {
  const gpus = found.items.filter(({ kind }) => kind === 'cuda')
  if (gpus.length === 0) return found
  const python = await seen(gpus.map(({ name }) => name))
  if (python === null) return found
  const rest = found.items.filter(({ kind }) => kind !== 'cuda')
  if (python.devices.length === 0) {
    const why = python.gpuProblem ?? 'it finds none'
    return { items: rest, problem: `${gpus[0]!.name} is here, but PyTorch cannot use it: ${why}.`, blocked: true }
  }
  const lacks = {
    ...(python.compiler ? { kernels: python.compiler } : {}),
    ...(python.bitsandbytes ? { bitsandbytes: python.bitsandbytes } : {}),
  }
  const items = gpus.map((gpu): ComputeDevice => {
    const same = python.devices.find(({ name }) => name === gpu.name) ?? python.devices[0]!
    return { ...gpu, bf16: same.bf16 ?? true, lacks }
  })
  return { items: [...items.toSorted((a, b) => (b.freeBytes ?? 0) - (a.freeBytes ?? 0)), ...rest], problem: found.problem }
}
