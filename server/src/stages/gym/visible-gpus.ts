import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'

/** The GPUs of a run: one per process, the ones with the most free memory first. */
export const freestGpus = (devices: readonly ComputeDevice[], processes: number): ComputeDevice[] =>
  devices
    .filter(({ kind }) => kind === 'cuda')
    .toSorted((a, b) => (b.freeBytes ?? 0) - (a.freeBytes ?? 0))
    .slice(0, processes)

/**
 * Variables that show a run only as many GPUs as it has processes: the library would split the batch of one process over
 * all visible GPUs. A run on the CPU sees none.
 */
export async function visibleGpus(
  device: 'cpu' | 'cuda' | undefined,
  processes: number,
  devices: () => Promise<Devices>,
): Promise<Record<string, string>> {
  if (device === undefined) return {}
  if (device === 'cpu') return { CUDA_VISIBLE_DEVICES: '' }
  const chosen = freestGpus((await devices()).items, processes)
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: chosen.map(({ uuid }, at) => uuid ?? String(at)).join(',') || '0' }
}
