import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { microOf } from './refusals.ts'

/** Optimiser steps of a run over so many rows, as the trainers count them. */
export function stepsOf(settings: TrainSettings, strategy: TrainStrategy, rows: number): { steps: number; stepsPerEpoch: number } {
  const isGrouped = strategy === 'grpo' || strategy === 'rlvr'
  const atOnce = microOf(settings) * settings.processes
  const isOwn = strategy === 'distillation' && settings.distill !== 'logits' && settings.distill !== 'text'
  // a prompt becomes `generations` rows; of answers that the model writes itself only full steps are taken
  const answers = isGrouped ? rows * settings.generations : rows
  const perEpoch =
    isGrouped || isOwn
      ? Math.floor(answers / settings.batchSize)
      : Math.ceil(Math.ceil(rows / atOnce) / Math.max(1, Math.floor(settings.batchSize / atOnce)))
  const stepsPerEpoch = Math.max(1, perEpoch)
  const all = Math.ceil(stepsPerEpoch * settings.epochs)
  return { steps: settings.maxSteps ?? all, stepsPerEpoch }
}

/** Sequences that so many tokens fill when rows are packed: best-fit packing leaves next to nothing free. */
export const packedRows = ({ maxLength }: TrainSettings, { tokens }: { tokens: number }): number =>
  Math.max(1, Math.ceil(tokens / maxLength))
