import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { visibleGpus } from '#server/stages/gym/visible-gpus.ts'
import { newFolder } from '#server/testing/folders.ts'
import { findDevices } from './index.ts'
import { usableDevices } from './usable.ts'

let folder = ''
beforeEach(() => void (folder = newFolder()))

/** Recorded output of nvidia-smi on a machine with two GPUs. */
const RECORDED = [
  'NVIDIA H100 80GB HBM3, 81559, 2048, GPU-1b54d1e3-6f1c-0c1e-8f29-000000000001',
  'NVIDIA H100 80GB HBM3, 81559, 80994, GPU-1b54d1e3-6f1c-0c1e-8f29-000000000002',
].join('\n')
const tool = (body: string) => fs.writeFileSync(path.join(folder, 'nvidia-smi'), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
const found = () => findDevices(`${folder}:/bin`)
const CARD = { name: 'NVIDIA H100 80GB HBM3', freeBytes: 1, totalBytes: 2, bf16: true }

it('lists the GPU with the most free memory first, and shows a run as many GPUs as it has processes', async () => {
  tool(`cat <<'END'\n${RECORDED}\nEND`)
  const usable = await usableDevices(await found(), async (names) => {
    expect(names).toEqual([CARD.name, CARD.name])
    return { devices: [CARD, CARD], gpuProblem: null, compiler: 'a C compiler (package gcc)', bitsandbytes: null }
  })
  expect(usable.items.map(({ kind, freeBytes }) => [kind, freeBytes])).toMatchObject([['cuda', 80994 * 2 ** 20], ['cuda', 2048 * 2 ** 20], ['cpu', expect.any(Number)]]) // prettier-ignore
  expect(usable.items[0]).toMatchObject({ bf16: true, lacks: { kernels: 'a C compiler (package gcc)' } })
  const devices = async () => usable
  expect(await visibleGpus('cuda', 1, devices)).toEqual({ CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: 'GPU-1b54d1e3-6f1c-0c1e-8f29-000000000002' }) // prettier-ignore
  expect((await visibleGpus('cuda', 2, devices))['CUDA_VISIBLE_DEVICES']).toBe(
    'GPU-1b54d1e3-6f1c-0c1e-8f29-000000000002,GPU-1b54d1e3-6f1c-0c1e-8f29-000000000001',
  )
  expect(await visibleGpus('cpu', 1, devices)).toEqual({ CUDA_VISIBLE_DEVICES: '' })
})

it('omits a GPU that PyTorch cannot use, with the reason, but lists it if there is no Python yet', async () => {
  tool(`cat <<'END'\n${RECORDED}\nEND`)
  const old = 'The NVIDIA driver on your system is too old (found version 12080)'
  const blocked = await usableDevices(await found(), async () => ({ devices: [], gpuProblem: old }))
  expect(blocked).toMatchObject({ blocked: true, problem: expect.stringContaining(old) as string, items: [{ kind: 'cpu' }] })
  expect((await usableDevices(await found(), async () => null)).items[0]).toMatchObject({ kind: 'cuda' })
})

it('does not ask Python if there is no GPU', async () => {
  tool('echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver." >&2; exit 9')
  const none = await usableDevices(await found(), () => Promise.reject(new Error('asked')))
  expect(none).toMatchObject({ items: [{ kind: 'cpu' }], problem: expect.stringContaining('could not communicate') as string })
})
