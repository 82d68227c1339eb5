import fs from 'node:fs'
import path from 'node:path'
import type { Quantization } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import { baseProblem, isGguf, numbersInGguf } from '../registry/base.ts'
import type { Registry } from '../service.ts'
import type { ExportRequest } from './types.ts'

const SIXTEEN_BITS = 2
/** Beside the weights a model has a tokenizer and configurations. */
const OVERHEAD = 1.1

/** What can be refused before a job is made of it. Throws `export_unavailable`. */
export function checkExport(registry: Registry, id: string, { format }: ExportRequest): void {
  const { origin } = registry.store.require(id)
  if (format === 'adapter')
    throw new AppError('export_unavailable', {
      message: origin.isAdapter
        ? 'The adapter already exists: the run created it.'
        : 'This model was fully fine-tuned, so it has no adapter.',
    })
  registry.trainedWeights(id)
  const problem = origin.isAdapter ? baseProblem(origin.basePath) : null
  if (problem !== null) throw new AppError('export_unavailable', { message: problem, hint: 'Restore it, then export again.' })
}

/** What a GGUF takes while it is made, in sizes of the 16-bit model: all but f16 and q8_0 are made from one in 16 bits. */
export const GGUF_TAKES: Record<Quantization, number> = { f16: 1, q8_0: 0.54, q5_k_m: 1.36, q4_k_m: 1.31 }

/** Refuses before work begins where so many times the weights would not fit on the disk. Throws `disk_full`. */
export async function requireDiskSpace(folder: string, model: string, times: number): Promise<void> {
  const wanted = OVERHEAD * times * (isGguf(model) ? SIXTEEN_BITS * (await numbersInGguf(model)) : weightsIn(model))
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize >= wanted) return
  throw new AppError('disk_full', {
    message: `The disk of ${path.dirname(folder)} has ${megabytes(bavail * bsize)} free; this needs about ${megabytes(wanted)}. Free up disk space and try again.`,
  })
}

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

const weightsIn = (folder: string): number =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.safetensors'))
    .reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0)
