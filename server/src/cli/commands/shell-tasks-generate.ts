import type { z } from 'zod'
import { ProviderId } from '#contracts/entities/provider.ts'
import type { RolloutEndpoint } from '#contracts/entities/rollout.ts'
import type { ShellGeneration, ShellGenerationPlan } from '#contracts/entities/shell-generation.ts'
import { given } from '#server/given.ts'
import type { generateShellTasks } from '#contracts/routes/shell-generations.ts'
import { plural } from '#contracts/plural.ts'
import { type Context, enumOf, numberOf, onlyOptions, textOf, UsageError } from '../command.ts'
import { formatNumber } from '../format.ts'
import { waitFor } from '../wait.ts'

export const GENERATE_USAGE =
  'generate (--endpoint URL | --provider P | --model-id ID) [--model M] --count 1=20,2=20 [--seeds SPLIT] [--split NAME] [--rollouts 4] [--max-tokens N] [--max-cost USD] [--plan] | generate --resume ID | diversity [--split NAME] [--difficulty 1,2]'

export const GENERATE_OPTIONS = {
  endpoint: { type: 'string' },
  provider: { type: 'string' },
  'model-id': { type: 'string' },
  model: { type: 'string' },
  count: { type: 'string' },
  seeds: { type: 'string' },
  rollouts: { type: 'string' },
  'max-tokens': { type: 'string' },
  'max-cost': { type: 'string' },
  plan: { type: 'boolean' },
  resume: { type: 'string' },
} as const

/** Exit code 1 if fewer tasks were kept than requested. */
export async function generate(context: Context): Promise<number> {
  const { values } = context
  onlyOptions(context, 'shell-tasks generate')
  const resumeId = textOf(values, 'resume')
  const body = resumeId === undefined ? bodyOf(values) : null
  const connection = await context.connect()
  if (body && values['plan'] === true) {
    const plan = await connection.client.planShellGeneration({ body })
    context.out(plan, () => describePlan(plan))
    return plan.refusals.length > 0 ? 1 : 0
  }
  const job = body
    ? await connection.client.generateShellTasks({ body })
    : await connection.client.resumeShellGeneration({ params: { id: resumeId! }, body: {} })
  const generation = (await waitFor(context, connection, job)).result as ShellGeneration // the result type of a generation job
  context.out(generation, () => describe(generation))
  return generation.state === 'completed' && generation.message === null ? 0 : 1
}

export async function diversity(context: Context): Promise<void> {
  const { values } = context
  const query = given({ split: textOf(values, 'split'), difficulty: textOf(values, 'difficulty') })
  const { client } = await context.connect()
  const result = await client.getShellDiversity({ query })
  const line = (name: string, counts: Record<string, number>) =>
    `${name}: ${Object.entries(counts)
      .map(([key, count]) => `${key} ${formatNumber(count)}`)
      .join(', ')}`
  context.out(result, () =>
    [
      `${plural(result.tasks, 'task')}, ${formatNumber(result.near)} of them nearly the same as another.`,
      line('difficulty', result.difficulty),
      line('tool', result.tool),
      line('path', result.pathRoot),
      line('check', result.check),
    ].join('\n'),
  )
}

function bodyOf(values: Context['values']): z.input<typeof generateShellTasks.body> {
  const [usd, tokens] = [numberOf(values, 'max-cost', { above: 0 }), numberOf(values, 'max-tokens', { above: 0 })]
  return {
    endpoint: endpointOf(values),
    targets: targetsOf(textOf(values, 'count')),
    budget: given({ usd, tokens }),
    ...given({ seeds: textOf(values, 'seeds'), split: textOf(values, 'split'), rollouts: numberOf(values, 'rollouts', { above: 0 }) }),
  }
}

function endpointOf(values: Context['values']): RolloutEndpoint {
  const baseUrl = textOf(values, 'endpoint')
  const provider = enumOf(values, 'provider', ProviderId.options)
  const modelId = textOf(values, 'model-id')
  const model = textOf(values, 'model') ?? ''
  if ([baseUrl, provider, modelId].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('Choose the model that writes the tasks: one of --endpoint URL, --provider NAME, --model-id ID.')
  if (baseUrl !== undefined) return { kind: 'url', dialect: 'openai', baseUrl, model }
  if (provider !== undefined) return { kind: 'provider', provider, ...(model !== '' && { model }) }
  return { kind: 'model', model: modelId! }
}

/** `20` applies to each difficulty; `1=20,3=5` lists difficulties. */
function targetsOf(text: string | undefined): Record<string, number> {
  if (text === undefined) throw new UsageError('--count is missing: how many tasks of each difficulty, such as 20 or 1=20,3=5.')
  if (/^\d+$/.test(text)) return { '1': Number(text), '2': Number(text), '3': Number(text), '4': Number(text) }
  const pairs = text.split(',').map((part) => /^([1-4])=(\d+)$/.exec(part.trim()))
  if (pairs.includes(null)) throw new UsageError(`--count must be a number or a list such as 1=20,3=5, not "${text}".`)
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, Number(pair![2])]))
}

function describePlan({ model, payer, wanted, tokens, costUsd, prompts, refusals }: ShellGenerationPlan): string {
  return [
    `${plural(wanted, 'task')} from ${model ?? 'the model of the endpoint'}. Who pays: ${payer}`,
    `About ${plural(tokens.input, 'token')} in and ${formatNumber(tokens.output)} out, ${costUsd === null ? 'of unknown cost' : `$${costUsd.toFixed(2)}`} (an estimate).`,
    ...refusals.map(({ message, hint }) => `Generation cannot start: ${message}${hint === null ? '' : ` ${hint}`}`),
    ...prompts.map(({ difficulty, system, prompt }) => `\nFirst request of difficulty ${difficulty}:\n${system}\n\n${prompt}`),
  ].join('\n')
}

function describe({ id, state, message, kept, made, rejected, spent }: ShellGeneration): string {
  const all = Object.values(kept).reduce((sum, count) => sum + count, 0)
  return [
    `${state}: ${plural(all, 'task')} kept of ${plural(made, 'candidate')}, ${plural(spent.tokens, 'token')}${spent.usd === null ? '' : `, $${spent.usd.toFixed(4)}`}.`,
    ...(message === null ? [] : [message]),
    ...rejected.map(({ reason, count }) => `rejected ${formatNumber(count)}: ${reason}`),
    ...(state === 'completed' ? [] : [`Continue with: bashgym shell-tasks generate --resume ${id}`]),
  ].join('\n')
}
