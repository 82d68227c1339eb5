import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { baseProblem, isGguf, numbersInGguf } from '../registry/base.ts'
import type { Registry } from '../service.ts'
import type { ExportRequest } from './types.ts'

const SIXTEEN_BITS = 2
/** Beside the weights a model has a tokenizer and configurations. */
const ROOM = 1.1

/** What can be refused before a job is made of it. Throws `export_unavailable`. */
export function checkExport(registry: Registry, id: string, { format }: ExportRequest): void {
  const { origin } = registry.store.require(id)
  if (format === 'adapter')
    throw new AppError('export_unavailable', {
      message: origin.isAdapter
        ? 'The adapter is there already: it is what the run made.'
        : 'This model was trained whole, so it has no adapter.',
    })
  registry.trainedWeights(id)
  const problem = origin.isAdapter ? baseProblem(origin.basePath) : null
  if (problem !== null) throw new AppError('export_unavailable', { message: problem, hint: 'Bring it back, and export again.' })
}

/** Refuses before work begins where the weights would not fit on the disk once more. Throws `disk_full`. */
export async function requireRoom(folder: string, model: string): Promise<void> {
  const wanted = ROOM * (isGguf(model) ? SIXTEEN_BITS * (await numbersInGguf(model)) : weightsIn(model))
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize >= wanted) return
  throw new AppError('disk_full', {
    message: `The disk has ${Math.floor((bavail * bsize) / 1e6)} MB free; this export needs about ${Math.ceil(wanted / 1e6)} MB.`,
  })
}

const weightsIn = (folder: string): number =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.safetensors'))
    .reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0)
