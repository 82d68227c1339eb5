import path from 'node:path'
import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { factsOf } from './facts.ts'
import { fitOfModel } from './fit.ts'
import { findModels, type ModelPlaces } from './find.ts'
import type { FoundModel } from './found-model.ts'
import { knownLicense } from './recommended.ts'
import type { WritesCalls } from './writes-calls.ts'

/** Base models on this machine whose name or path contains `q`. `fit` is for LoRA with the default settings. */
export async function listBaseModels(
  places: ModelPlaces,
  device: ComputeDevice | null,
  writesCalls: WritesCalls,
  q = '',
): Promise<BaseModel[]> {
  const needle = q.trim().toLowerCase()
  const found = findModels(places).filter((one) => `${one.id} ${one.path}`.toLowerCase().includes(needle))
  return Promise.all(found.map((one) => describe(one, device, writesCalls)))
}

async function describe(found: FoundModel, device: ComputeDevice | null, writesCalls: WritesCalls): Promise<BaseModel> {
  const facts = await factsOf(found.path)
  return {
    ...found,
    name: nameOf(found),
    format: facts.format,
    quantization: facts.quantization,
    architecture: facts.architectureName,
    parameters: facts.parameters,
    bytes: facts.bytes,
    license: facts.license ?? knownLicense(found.id),
    contextLength: facts.contextLength,
    hasTemplate: facts.template !== null,
    writesCalls: await writesCalls(facts.template),
    fit: fitOfModel(facts, device),
    problem: facts.problem,
  }
}

function nameOf({ id, path: place, source }: FoundModel): string {
  if (source === 'own') return `run ${path.basename(path.dirname(place)).slice(0, 8)}`
  return source === 'hub-cache' || source === 'ollama' ? id : path.basename(place)
}
