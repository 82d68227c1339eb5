import fs from 'node:fs'
import path from 'node:path'
import type { Quantization } from '#contracts/entities/model.ts'
import { AppError } from '#contracts/errors.ts'
import { baseProblem, isGguf, parametersInGguf } from '../registry/base.ts'
import type { Registry } from '../service.ts'
import type { ExportRequest } from './types.ts'

const SIXTEEN_BITS = 2
/** Factor for the tokenizer and configuration files. */
const OVERHEAD = 1.1

/** Checks a request before its job is started. Throws `export_unavailable`. */
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

/** Disk space for making a GGUF, in sizes of the 16-bit model. Except for f16 and q8_0 it includes an intermediate 16-bit GGUF. */
export const GGUF_TAKES: Record<Quantization, number> = { f16: 1, q8_0: 0.54, q5_k_m: 1.36, q4_k_m: 1.31 }

/** Throws `disk_full` if the disk has less than `times` the size of the weights free. */
export async function requireDiskSpace(folder: string, model: string, times: number): Promise<void> {
  const needed = OVERHEAD * times * (isGguf(model) ? SIXTEEN_BITS * (await parametersInGguf(model)) : weightsIn(model))
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize >= needed) return
  throw new AppError('disk_full', {
    message: `The disk of ${path.dirname(folder)} has ${megabytes(bavail * bsize)} free; this needs about ${megabytes(needed)}. Free up disk space and try again.`,
  })
}

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

const weightsIn = (folder: string): number =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.safetensors'))
    .reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0)
