import { ExamKind } from '#contracts/entities/exam.ts'
import type { RouteDecision } from '#contracts/entities/routing.ts'
import { given } from '#server/given.ts'
import { enumOf, type Command, oneArgument, UsageError } from '../command.ts'

export const routeCommand: Command = {
  name: 'route',
  usage: 'route "PROMPT" [--kind next_calls|solved_tasks] [--generate [--system TEXT]]',
  summary: 'where a conversation that begins with this prompt would go, and why; with --generate it is answered there',
  help: () =>
    'Without a model that an exam proves better, that is always the teacher. Strategy and limits: Settings, or ROUTING_STRATEGY.\n' +
    'Nothing is sent without --generate. With it the teacher is the provider of Settings → Providers, with your key there.',
  options: { kind: { type: 'string' }, generate: { type: 'boolean' }, system: { type: 'string' } },
  async run(context) {
    const prompt = oneArgument(context, 'The prompt')
    const kind = enumOf(context.values, 'kind', ExamKind.options)
    const { generate, system } = context.values as { generate?: boolean; system?: string }
    if (system !== undefined && !generate) throw new UsageError('--system belongs to --generate.')
    if (kind !== undefined && generate) throw new UsageError('--kind asks about a decision only; --generate takes the kind with evidence.')
    const { client } = await context.connect()
    if (generate) {
      const answer = await client.generate({ body: { prompt, ...given({ system }) } })
      context.out(answer, () => [answer.text, '', `${answer.model}, ${lineOf(answer.decision)}`].join('\n'))
      return
    }
    const decision = await client.routePrompt({ body: { prompt, ...given({ kind }) } })
    context.out(decision, () => lineOf(decision))
  },
}

function lineOf({ selectedModel, student, strategy, taskComplexity, confidence, reason }: RouteDecision): string {
  return [
    `${selectedModel}${selectedModel === 'student' ? ` (${student!.name})` : ''}: ${reason}`,
    `strategy ${strategy}, complexity ${taskComplexity}, confidence ${confidence === null ? 'not measured' : confidence.toFixed(2)}`,
  ].join('\n')
}
