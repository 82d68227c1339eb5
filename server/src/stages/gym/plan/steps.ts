import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'

/** Optimiser steps of a run over so many rows, as the trainers count them. */
export function stepsOf(settings: TrainSettings, strategy: TrainStrategy, rows: number): { steps: number; stepsPerEpoch: number } {
  const isGrouped = strategy === 'grpo' || strategy === 'rlvr'
  const micro = Math.min(settings.microBatch ?? settings.batchSize, settings.batchSize)
  // a prompt becomes `generations` rows
  const batches = Math.ceil((isGrouped ? rows * settings.generations : rows) / micro)
  const stepsPerEpoch = Math.max(1, Math.ceil(batches / Math.max(1, Math.floor(settings.batchSize / micro))))
  const all = Math.ceil(stepsPerEpoch * settings.epochs)
  return { steps: settings.maxSteps ?? all, stepsPerEpoch }
}
