import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { rowsAtOnce } from './refusals.ts'

/** Optimiser steps of a run over this many rows, counted like the trainers do. */
export function stepsOf(settings: TrainSettings, strategy: TrainStrategy, rows: number): { steps: number; stepsPerEpoch: number } {
  const isGrouped = strategy === 'grpo' || strategy === 'rlvr'
  const atOnce = rowsAtOnce(settings) * settings.processes
  const isOnPolicy = strategy === 'distillation' && settings.distill !== 'logits' && settings.distill !== 'text'
  // a prompt becomes `generations` rows; with generated answers, an incomplete last step is dropped
  const answers = isGrouped ? rows * settings.generations : rows
  const perEpoch =
    isGrouped || isOnPolicy
      ? Math.floor(answers / settings.batchSize)
      : Math.ceil(Math.ceil(rows / atOnce) / Math.max(1, Math.floor(settings.batchSize / atOnce)))
  const stepsPerEpoch = Math.max(1, perEpoch)
  const all = Math.ceil(stepsPerEpoch * settings.epochs)
  return { steps: settings.maxSteps ?? all, stepsPerEpoch }
}

/** Sequences that these tokens fill when rows are packed. Best-fit packing leaves almost no gaps. */
export const packedRows = ({ maxLength }: TrainSettings, { tokens }: { tokens: number }): number =>
  Math.max(1, Math.ceil(tokens / maxLength))
