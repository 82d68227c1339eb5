// Trains and exports two tiny models for the screenshots.
import fs from 'node:fs'
import { jobDone, type RunningServer } from '../../e2e/support/server.ts'
import { makeTinyModel, acceptingSessions } from '../../e2e/support/trainer.ts'

const LOOK_MS = 1000
const RUNS = [
  { name: 'everyday, careful', learningRate: 0.001 },
  { name: 'everyday, bold', learningRate: 0.005 },
] as const

/** Trains on a version of a data set. Returns the function that removes the base model. */
export async function addModels(server: RunningServer, python: string, datasetId: string): Promise<() => void> {
  const baseModel = acceptingSessions(makeTinyModel(python))
  const settings = { maxSteps: 40, batchSize: 2, loggingSteps: 1, saveSteps: null }
  const post = <T>(place: string, body: unknown) => server.api<T>(place, { method: 'POST', body })
  for (const { name, learningRate } of RUNS) {
    const { id } = await post<{ id: string }>('/api/training/start', {
      name,
      strategy: 'sft',
      preset: 'quick',
      baseModel,
      datasetId,
      settings: { ...settings, learningRate },
    })
    await ended(server, id)
    const { id: job } = await post<{ id: string }>(`/api/models/${id}/export`, { format: 'gguf', quantization: 'q8_0' })
    await jobDone(server, job)
  }
  return () => fs.rmSync(baseModel, { recursive: true, force: true })
}

/** Waits until a run has completed; throws if it failed or was cancelled. */
export async function ended(server: RunningServer, id: string): Promise<void> {
  for (;;) {
    const { state, error } = await server.api<{ state: string; error: { message: string } | null }>(`/api/training/${id}`)
    if (state === 'completed') return
    if (state === 'failed' || state === 'cancelled') throw new Error(`A run for the pictures ended as ${state}: ${error?.message}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
