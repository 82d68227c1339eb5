import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import type { Registry } from '../service.ts'
import type { ExportRequest } from './types.ts'

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
  const trained = registry.get(id).artifacts[0]
  if (trained?.state !== 'present')
    throw new AppError('export_unavailable', {
      message: `The trained weights are ${trained?.state ?? 'missing'}: ${trained?.path ?? origin.folder}.`,
      hint: 'Bring the files back as they were, and export again.',
    })
  if (origin.isAdapter && !fs.existsSync(path.join(origin.basePath, 'config.json')))
    throw new AppError('export_unavailable', {
      message: `The base model is gone: there is no config.json in ${origin.basePath}.`,
      hint: 'Bring it back, and export again.',
    })
}

/** Refuses before work begins where the weights would not fit on the disk once more. Throws `disk_full`. */
export function requireRoom(folder: string, model: string): void {
  const weights = fs.readdirSync(model).filter((name) => name.endsWith('.safetensors'))
  const wanted = weights.reduce((sum, name) => sum + fs.statSync(path.join(model, name)).size, 0) * ROOM
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize >= wanted) return
  throw new AppError('disk_full', {
    message: `The disk has ${Math.floor((bavail * bsize) / 1e6)} MB free; this export needs about ${Math.ceil(wanted / 1e6)} MB.`,
  })
}
