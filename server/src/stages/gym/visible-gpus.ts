import type { ComputeDevice } from '#contracts/entities/run.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'

/** The GPUs of a run: a process has one, those with the most free memory first. */
export const freestGpus = (found: readonly ComputeDevice[], processes: number): ComputeDevice[] =>
  found
    .filter(({ kind }) => kind === 'cuda')
    .toSorted((a, b) => (b.freeBytes ?? 0) - (a.freeBytes ?? 0))
    .slice(0, processes)

/**
 * Which GPUs a run sees: as many as it has processes, and no other. With several in sight of one process the library
 * would split each batch over all of them. On the processor it sees none.
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
