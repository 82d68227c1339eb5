import path from 'node:path'
import type { BaseModel, ComputeDevice } from '#contracts/entities/run.ts'
import { estimateMemory, fitOf } from '../plan/memory.ts'
import { resolveSettings } from '../settings.ts'
import { factsOf } from './facts.ts'
import { findModels, type FoundModel, type ModelPlaces } from './find.ts'

/** Base models on this machine whose name or place holds `q`, with what is known of each; `fit` is for LoRA by the defaults. */
export async function listBaseModels(places: ModelPlaces, device: ComputeDevice | null, q = ''): Promise<BaseModel[]> {
  const wanted = q.trim().toLowerCase()
  const found = findModels(places).filter((one) => `${one.id} ${one.path}`.toLowerCase().includes(wanted))
  return Promise.all(found.map((one) => describe(one, device)))
}

async function describe(found: FoundModel, device: ComputeDevice | null): Promise<BaseModel> {
  const facts = await factsOf(found.path)
  const settings = resolveSettings({ strategy: 'sft', preset: 'balanced', settings: {} })
  const memory = estimateMemory({ strategy: 'sft', settings, model: facts, teacher: null, longest: null, device: device?.kind ?? 'cpu' })
  return {
    ...found,
    name: found.source === 'hub-cache' ? found.id : found.source === 'own' ? `run ${path.basename(path.dirname(found.path)).slice(0, 8)}` : path.basename(found.path), // prettier-ignore
    format: facts.format,
    quantization: facts.quantization,
    architecture: facts.architectureName,
    parameters: facts.parameters,
    bytes: facts.bytes,
    license: facts.license,
    contextLength: facts.contextLength,
    hasTemplate: facts.hasTemplate,
    fit: fitOf(memory, device),
    problem: facts.problem,
  }
}
