import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { TrainMethod } from '#contracts/trainer.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import { openGym, type TestGym } from './testing-gym.ts'

let gym: TestGym | null = null
afterEach(() => gym?.close())

const cpu: ComputeDevice = { kind: 'cpu', name: 'test', totalBytes: 8e9, freeBytes: 8e9, cores: 2 }
const card: ComputeDevice = { kind: 'cuda', name: 'NVIDIA H100', totalBytes: 80e9, freeBytes: 79e9, cores: null, uuid: 'GPU-1', bf16: true }
const QUANTIZED = TrainMethod.parse({ kind: 'lora', quantized: true })

/** Codes of the refusals. */
async function refused(devices: Devices, settings: object = {}): Promise<string[]> {
  gym = await openGym({ deps: { devices: async () => devices } })
  const { notes } = await gym.client.planRun({ body: gym.request({ steps: 1 }, { settings }) })
  await gym.close()
  gym = null
  return notes.filter(({ level }) => level === 'refusal').map(({ code }) => code)
}

it('refuses a GPU that PyTorch cannot use, unless the device is cpu', async () => {
  const blocked = { items: [cpu], problem: 'NVIDIA H100 is here, but PyTorch cannot use it: it is a build without CUDA.', blocked: true }
  expect(await refused(blocked)).toEqual(['gpu_blocked'])
  expect(await refused(blocked, { device: 'cpu' })).toEqual([])
})

it('refuses a start if Python lacks something that the GPU needs', async () => {
  const lacking = (lacks: Record<string, string>) => ({ items: [{ ...card, lacks }, cpu], problem: null })
  expect(await refused(lacking({}))).toEqual([])
  expect(await refused(lacking({ kernels: 'a C compiler (package gcc)' }))).toEqual(['no_compiler'])
  const without = lacking({ bitsandbytes: 'the package bitsandbytes is not installed' })
  expect(await refused(without)).toEqual([])
  expect(await refused(without, { method: QUANTIZED })).toEqual(['no_bitsandbytes'])
  expect(await refused({ items: [{ ...card, bf16: false }, cpu], problem: null }, { method: { kind: 'full', weights: 'bf16' } })).toEqual(['no_bf16']) // prettier-ignore
})

it('refuses Unsloth if it is not installed, with the command that installs it', async () => {
  const packages =
    (...names: string[]) =>
    async () => ({ program: '/env/bin/python', packages: new Map(names.map((name) => [name, '1'])) })
  const refusals = async (there: ReturnType<typeof packages>, more: object = {}) => {
    const opened = await openGym({ deps: { devices: async () => ({ items: [card, cpu], problem: null }), packages: there } })
    const plan = await opened.client.planRun({ body: opened.request({ steps: 1 }, { settings: { backend: 'unsloth', ...more } }) })
    await opened.close()
    return plan.notes.filter(({ level }) => level === 'refusal')
  }
  expect(await refusals(packages('torch'))).toMatchObject([
    { code: 'no_package', field: 'backend', message: 'The setting backend (unsloth) needs the package unsloth, which is not installed.', hint: 'Install it: /env/bin/python -m pip install unsloth. Or choose another value.' }, // prettier-ignore
  ])
  expect(await refusals(packages('torch', 'unsloth'))).toEqual([])
  const full = await refusals(packages('torch', 'unsloth'), { method: { kind: 'full' } })
  expect(full).toMatchObject([{ message: 'Unsloth is used here for SFT with LoRA in one process, without training all weights.' }])
})

it('uses several GPUs only for several processes, and plans with the memory of the fullest', async () => {
  const full = { ...card, uuid: 'GPU-2', freeBytes: 1e9 }
  gym = await openGym({ deps: { devices: async () => ({ items: [full, card, cpu], problem: null }) } })
  const planned = (settings: object) => gym!.client.planRun({ body: gym!.request({ steps: 1 }, { settings }) })
  const one = await planned({ batchSize: 8 })
  const two = await planned({ batchSize: 8, microBatch: 2, processes: 2 })
  const three = await planned({ batchSize: 9, processes: 3 })
  expect(one.device.freeBytes).toBe(card.freeBytes)
  expect(two.device).toMatchObject({ name: `2 × ${card.name}`, freeBytes: 1e9 })
  expect(two.notes.find(({ code }) => code === 'group')?.message).toContain('8 rows: micro-batch 2 × accumulation 2 × 2 processes')
  expect(three.notes[0]).toMatchObject({ level: 'refusal', code: 'no_gpus', apply: { processes: 2 } })
})

it('multiplies the memory by the processes on the CPU, but not on GPUs', async () => {
  gym = await openGym({ deps: { devices: async () => ({ items: [card, cpu], problem: null }) } })
  const weights = async (device: 'cpu' | 'cuda', processes: number) => {
    const plan = await gym!.client.planRun({ body: gym!.request({ steps: 1 }, { settings: { batchSize: 8, device, processes } }) })
    return plan.memory?.weights ?? null
  }
  const alone = (await weights('cpu', 1))!
  expect(await weights('cpu', 2)).toBe(2 * alone)
  expect(await weights('cuda', 2)).toBe(await weights('cuda', 1))
})

it('writes the planned device into the config, so that a run cannot fall back to the CPU', async () => {
  gym = await openGym({ deps: { devices: async () => ({ items: [card, cpu], problem: null }) } })
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 1 }) })
  await gym.until(id, 'completed', 'failed')
  const config = JSON.parse(fs.readFileSync(path.join(gym.core.paths.models, id, 'config.json'), 'utf8')) as { device: string }
  expect(config.device).toBe('cuda')
})
