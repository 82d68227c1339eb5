import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { Devices } from './index.ts'

/** Facts about GPUs from the Python for training (`bashgym_trainers/probe.py`). */
export interface PythonGpuFacts {
  devices: readonly { name: string; freeBytes: number; totalBytes: number; bf16?: boolean | undefined }[]
  gpuProblem?: string | null | undefined
  compiler?: string | null | undefined
  bitsandbytes?: string | null | undefined
}

/**
 * The devices that training can use. The driver reports free memory, but only the Python for training knows whether it can
 * use a GPU. `askPython` is called only if there is a GPU, and returns null if there is no Python yet.
 */
export async function usableDevices(found: Devices, askPython: (names: string[]) => Promise<PythonGpuFacts | null>): Promise<Devices> {
  const gpus = found.items.filter(({ kind }) => kind === 'cuda')
  if (gpus.length === 0) return found
  const python = await askPython(gpus.map(({ name }) => name))
  if (python === null) return found
  const others = found.items.filter(({ kind }) => kind !== 'cuda')
  if (python.devices.length === 0) {
    const why = python.gpuProblem ?? 'it finds none'
    return { items: others, problem: `${gpus[0]!.name} is here, but PyTorch cannot use it: ${why}.`, blocked: true }
  }
  const lacks = {
    ...(python.compiler ? { kernels: python.compiler } : {}),
    ...(python.bitsandbytes ? { bitsandbytes: python.bitsandbytes } : {}),
  }
  const items = gpus.map((gpu): ComputeDevice => {
    const match = python.devices.find(({ name }) => name === gpu.name) ?? python.devices[0]!
    return { ...gpu, bf16: match.bf16 ?? true, lacks }
  })
  return { items: [...items.toSorted((a, b) => (b.freeBytes ?? 0) - (a.freeBytes ?? 0)), ...others], problem: found.problem }
}
