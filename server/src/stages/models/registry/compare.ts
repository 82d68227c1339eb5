import { own } from '#contracts/lookup.ts'
import type { Model } from '#contracts/entities/model.ts'

/** All figures of a model by name; null if not measured. Training figures keep the trainer's names. */
export function figuresOf({ training, operational, evaluations, artifacts }: Model): Record<string, number | null> {
  const compared = artifacts.flatMap(({ id, parity }) =>
    parity && parity.withCalls > 0 ? [[`parity_calls.${id}`, parity.sameCalls / parity.withCalls] as const] : [],
  )
  return {
    loss: training.loss,
    eval_loss: training.evalLoss,
    steps: training.steps,
    rows: training.rows,
    tokens: training.tokens,
    train_sec: training.trainSec,
    peak_mb: training.peakMb,
    ...training.metrics,
    parameters: operational.parameters,
    size_bytes: operational.sizeBytes,
    tokens_per_sec: operational.tokensPerSec,
    latency_ms: operational.latencyMsP50,
    latency_ms_p95: operational.latencyMsP95,
    ...Object.fromEntries(compared),
    ...Object.fromEntries(evaluations.map(({ name, value }) => [name, value])),
  }
}

/** Figures by model, then by name. Without `names`: every figure that any of the models has. */
export function compare(models: readonly Model[], names?: readonly string[]): Record<string, Record<string, number | null>> {
  const figures = models.map((model) => ({ id: model.id, values: figuresOf(model) }))
  const chosenNames = names ?? [...new Set(figures.flatMap(({ values }) => Object.keys(values)))]
  return Object.fromEntries(
    figures.map(({ id, values }) => [id, Object.fromEntries(chosenNames.map((name) => [name, own(values, name) ?? null]))]),
  )
}
