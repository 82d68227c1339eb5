import type { TaskEndpoint } from '#contracts/entities/task.ts'
import type { RolloutEndpoint, RolloutPlan, RolloutSettings } from '#contracts/entities/rollout.ts'
import { privacyOf, redactionOf, type TaskModels } from '#server/stages/agents/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'

/** The endpoint and the model in the form that agent runs use. */
export function taskEndpointOf(endpoint: RolloutEndpoint): { endpoint: TaskEndpoint; model: string | undefined } {
  if (endpoint.kind === 'model') return { endpoint: { kind: 'model', modelId: endpoint.model }, model: undefined }
  const { model, ...where } = endpoint
  return { endpoint: where, model: model || undefined }
}

interface PlanInput {
  settings: RolloutSettings
  tasks: number
}

/** Describes what a set would do, and everything that prevents its start. Runs nothing. */
export async function planOf(
  { settings, tasks }: PlanInput,
  { sandboxes, models }: { sandboxes: Sandboxes; models: TaskModels },
): Promise<RolloutPlan> {
  const refusals: RolloutPlan['refusals'] = []
  const { endpoint, model: modelName } = taskEndpointOf(settings.endpoint)
  const found = models.find(endpoint, modelName)
  const { payer, model, price, missing } = found
  if (missing) refusals.push(missing)
  else if (settings.maxCostUsd !== null && price === null)
    refusals.push({
      message: `The price of ${model ?? 'this model'} is not known, so the cost limit cannot be enforced.`,
      hint: 'Remove the limit, or enter the price under Settings → Prices.',
    })
  const backends = await sandboxes.backends()
  const isolation = backends.find(({ available, images }) => available && images.includes('host'))?.name ?? null
  if (isolation === null)
    refusals.push({ message: 'This machine has no engine for sandboxes, and a model never runs outside one.', hint: 'Run `bashgym doctor`.' }) // prettier-ignore
  const redaction = redactionOf(settings.redact, found, 'server')
  const episodes = tasks * settings.rolloutsPerTask
  return {
    tasks,
    episodes,
    payer,
    privacy: privacyOf(found, redaction),
    redaction,
    model,
    price: price && { inputPerMTok: price.inputPerMTok, outputPerMTok: price.outputPerMTok },
    mostOutputTokens: episodes * settings.limits.turns * settings.limits.newTokens,
    isolation,
    places: sandboxes.capacity().limit,
    refusals,
  }
}
