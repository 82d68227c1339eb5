import { ExamKind } from '#contracts/entities/exam.ts'
import { given } from '#server/given.ts'
import { enumOf, type Command, oneArgument } from '../command.ts'

export const routeCommand: Command = {
  name: 'route',
  usage: 'route "PROMPT" [--kind next_calls|solved_tasks]',
  summary: 'where a conversation that begins with this prompt would go, and why; nothing is sent',
  help: () => 'Without a model that an exam proves better, that is always the teacher. Strategy and limits: Settings, or ROUTING_STRATEGY.',
  options: { kind: { type: 'string' } },
  async run(context) {
    const prompt = oneArgument(context, 'The prompt')
    const kind = enumOf(context.values, 'kind', ExamKind.options)
    const { client } = await context.connect()
    const decision = await client.routePrompt({ body: { prompt, ...given({ kind }) } })
    context.out(decision, () => {
      const { selectedModel, student, strategy, taskComplexity, confidence, reason } = decision
      return [
        `${selectedModel}${selectedModel === 'student' ? ` (${student!.name})` : ''}: ${reason}`,
        `strategy ${strategy}, complexity ${taskComplexity}, confidence ${confidence === null ? 'not measured' : confidence.toFixed(2)}`,
      ].join('\n')
    })
  },
}
