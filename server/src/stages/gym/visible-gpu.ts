import type { Devices } from '#server/adapters/gpu/index.ts'

/**
 * Which GPU a process of a run sees: the one with the most free memory, and no other. With several in sight the library
 * would split each batch over all of them, in one process. On the processor it sees none.
 */
export async function visibleGpu(device: 'cpu' | 'cuda' | undefined, devices: () => Promise<Devices>): Promise<Record<string, string>> {
  if (device === undefined) return {}
  if (device === 'cpu') return { CUDA_VISIBLE_DEVICES: '' }
  const gpus = (await devices()).items.filter(({ kind }) => kind === 'cuda')
  const freest = gpus.toSorted((a, b) => (b.freeBytes ?? 0) - (a.freeBytes ?? 0))[0]
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: freest?.uuid ?? '0' }
}
