import type { z } from 'zod'
import { AnswerRequest, type AnswerScore, type TraceEvaluation, TraceEvaluationRequest } from '#contracts/entities/answer.ts'
import { AppError } from '#contracts/errors.ts'
import { plural } from '#contracts/plural.ts'
import { plainWords } from '#contracts/plain-words.ts'
import { actionOf, type Command, type Context, textOf } from '../command.ts'
import { orDash, table } from '../format.ts'
import { jsonInput } from '../json-input.ts'
import { modelOf } from '../named-model.ts'

const ACTIONS = ['response', 'trace'] as const

export const answersCommand: Command = {
  name: 'judge',
  usage: 'judge response|trace [FILE] [--model M]',
  summary: 'grade an answer by rubrics, or evaluate the steps of an agent, from a JSON document in FILE or on stdin',
  help: () =>
    'response: {"prompt", "response", "metrics"?, "model"}. A metric without a valid grade is null with its error.\n' +
    'trace: one of "traceId", "taskId" (an agent run), "episode" {"set", "id"} and "steps"; with "task" and "model" a model grades the goal\n' +
    'where no verification tells it.\n' +
    'A model is an object as in the API, or ID (of the registry), PROVIDER/NAME or URL#NAME; --model replaces the one of the document.\n' +
    'Exit code of response: 1 if a grade is missing.',
  options: { model: { type: 'string' } },
  async run(context) {
    const [action, ...args] = actionOf(context, 'judge', ACTIONS)
    const document = withModel(jsonInput({ args }), textOf(context.values, 'model'))
    return action === 'response' ? gradeResponse(context, document) : evaluateTrace(context, document)
  },
}

/** A document with its model as the API takes it. */
function withModel(document: unknown, named: string | undefined): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document
  const given = named ?? (document as { model?: unknown }).model
  return typeof given === 'string' ? { ...document, model: modelOf(given) } : document
}

function parsed<Schema extends z.ZodType>(schema: Schema, document: unknown): z.input<Schema> {
  const { error } = schema.safeParse(document)
  if (!error) return document as z.input<Schema> // checked in the line above
  const faults = error.issues.map((issue) => `${issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''}${plainWords(issue)}`)
  throw new AppError('invalid_request', { message: `The document is not valid. ${faults.join(' ')}` })
}

async function gradeResponse(context: Context, document: unknown): Promise<number> {
  const body = parsed(AnswerRequest, document)
  const { client } = await context.connect()
  const scores = await client.gradeResponse({ body })
  context.out(scores, () => describeScores(scores))
  return scores.every(({ score }) => score !== null) ? 0 : 1
}

async function evaluateTrace(context: Context, document: unknown): Promise<number> {
  const body = parsed(TraceEvaluationRequest, document)
  const { client } = await context.connect()
  const found = await client.evaluateTrace({ body })
  context.out(found, () => describeTrace(found))
  return 0
}

const describeScores = (scores: readonly AnswerScore[]): string =>
  table([
    ['metric', 'score', 'of 5', 'why'],
    ...scores.map(({ metric, score, raw, reasoning, error }) => [
      metric,
      orDash(score, String),
      orDash(raw, String),
      error ?? reasoning ?? '',
    ]),
  ])

function describeTrace({ facts, ...figures }: TraceEvaluation): string {
  const { goal, blocked, unread } = facts
  return [
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value === null ? 'not measured' : Number(value.toFixed(4))}`),
    `${plural(facts.steps, 'step')}: ${facts.succeeded} succeeded, ${facts.failed} failed, ${blocked.length} blocked.`,
    ...(unread > 0 ? [`${plural(unread, 'command')} too long to be read.`] : []),
    ...blocked.map(({ command, why }) => `  ${command}: ${why}`),
    ...(goal.by === null
      ? [`Goal: ${goal.error ?? 'not measured'}`]
      : [`Goal by ${goal.by}${goal.reasoning === null ? '' : `: ${goal.reasoning}`}`]),
    ...(goal.by === 'model' ? [`Agreement of this model with your labels: ${goal.agreement?.kappa?.toFixed(2) ?? 'not measured'}`] : []),
  ].join('\n')
}
