import type { ComputeDevice, RunPlan } from '#contracts/entities/run.ts'
import { estimateMemory, fitOf, usableBytes } from '../plan/memory.ts'
import { SHORTEST_RECOMMENDED } from '../plan/recommend.ts'
import { remedyFor } from '../plan/remedy.ts'
import { resolveSettings } from '../settings.ts'
import { configFacts, type Json, tensorsOfShape } from './config-facts.ts'
import type { ModelFacts } from './model-facts.ts'
import { countOf } from './safetensors.ts'

/** Whether LoRA fits the installed memory: with settings that a plan chooses by itself (`yes`), barely or only with shorter rows (`tight`). */
export function fitOfModel(
  model: Pick<ModelFacts, 'architecture' | 'parameters' | 'tensors' | 'bytes'>,
  device: ComputeDevice | null,
): RunPlan['fits'] {
  const settings = resolveSettings({ strategy: 'sft', preset: 'balanced', settings: {} })
  const input = { strategy: 'sft' as const, settings, model, teacher: null, longest: null, device: device?.kind ?? 'cpu' }
  const fit = fitOf(estimateMemory(input), device)
  if (fit === 'yes' || fit === 'unknown') return fit
  // plans choose the micro-batch and the length by themselves, down to this
  const chosen = { ...settings, microBatch: 1, maxLength: SHORTEST_RECOMMENDED }
  if (fitOf(estimateMemory({ ...input, settings: chosen }), device) === 'yes') return 'yes'
  return fit === 'tight' || remedyFor(input, usableBytes(device) ?? 0, () => true) !== null ? 'tight' : 'no'
}

/** `fitOfModel` for a model of which only config.json is known. */
export function fitOfShape(config: Json, parameters: number | null, device: ComputeDevice | null): RunPlan['fits'] {
  const tensors = tensorsOfShape(config)
  if (tensors === null) return 'unknown'
  const { architecture } = configFacts(config)
  return fitOfModel({ architecture, parameters: parameters ?? parametersOfShape(config), tensors, bytes: 0 }, device)
}

/** Number of parameters of a decoder by its shape. */
export const parametersOfShape = (config: Json): number | null =>
  tensorsOfShape(config)?.reduce((sum, tensor) => sum + countOf(tensor), 0) ?? null
