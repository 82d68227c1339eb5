import { TaskAgent } from '#contracts/entities/task.ts'
import { type Thermometer, type ThermometerPlan, type ThermometerReading, ThermometerRequest } from '#contracts/entities/thermometer.ts'
import type { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { intervalText, READING_REASONS, READING_SHOWS, signed } from '#contracts/exam-words.ts'
import { given } from '#server/given.ts'
import { actionOf, allPages, type Command, type Connection, type Context, numberOf, oneOf, textOf, UsageError } from '../command.ts'
import { formatNumber, formatUsd, orDash, table } from '../format.ts'
import { modelOf } from '../named-model.ts'
import { whileFollowing } from '../wait.ts'

const ACTIONS = ['status', 'on', 'off', 'run', 'list'] as const
/** Claude itself: the model of the newest session, through the user's key. */
const CLAUDE = { model: { kind: 'provider', provider: 'anthropic' }, newestModel: true } as const

export const thermometerCommand: Command = {
  name: 'thermometer',
  usage:
    'thermometer [status] | on [--exam ID] [--model M] [--every week|month|never] [--no-client] [--no-model] [--max-cost USD] [--attempts K] [--agent A] [--plan] | run | list | off',
  summary: 'run an exam on a schedule with Claude or another model, each time compared with its own last run',
  help: () =>
    'It is off until you switch it on; on takes a first reading, then one at each date, and after new versions of Claude Code or new models in\n' +
    'your sessions (--no-client, --no-model), at most one a day. on --plan shows cost and receiver, and starts nothing.\n' +
    'Without --model it asks Claude, by the model that your newest session used, through your key. A model outside this machine needs\n' +
    '--max-cost, of one reading. Without --exam it takes the newest. run takes a reading now and waits for it.',
  options: {
    exam: { type: 'string' },
    model: { type: 'string' },
    every: { type: 'string' },
    'no-client': { type: 'boolean' },
    'no-model': { type: 'boolean' },
    'max-cost': { type: 'string' },
    'max-tokens': { type: 'string' },
    attempts: { type: 'string' },
    agent: { type: 'string' },
    plan: { type: 'boolean' },
  },
  async run(context) {
    const [action, ...more] = actionOf(context, 'thermometer', ACTIONS, 'status')
    if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
    if (action === 'on') return on(context)
    if (action === 'run') return read(context)
    const { client } = await context.connect(action === 'off' ? {} : { reads: true })
    if (action === 'list') {
      const items = await allPages((query) => client.listThermometerReadings({ query: { ...query, limit: '100' } }))
      context.out({ items }, () => (items.length === 0 ? 'There is no reading yet.' : table([HEAD, ...items.map(rowOf)])))
      return 0
    }
    const state = await (action === 'off' ? client.switchThermometerOff() : client.getThermometer())
    context.out(state, () => describe(state))
    return 0
  },
}

async function on(context: Context): Promise<number> {
  const { values } = context
  const { client } = await context.connect()
  const exam = textOf(values, 'exam') ?? (await client.listExams({ query: { limit: '1' } })).items[0]?.id
  if (exam === undefined) throw new AppError('exam_not_found', { message: 'There is no exam yet.', hint: 'Make one: bashgym exam make' })
  const [model, every, agent] = [textOf(values, 'model'), textOf(values, 'every'), textOf(values, 'agent')]
  const body: z.input<typeof ThermometerRequest> = {
    exam,
    ...(model === undefined ? CLAUDE : { model: modelOf(model) }),
    afterClient: values['no-client'] !== true,
    afterModel: values['no-model'] !== true,
    ...given({
      every: every === undefined ? undefined : oneOf(ThermometerRequest.shape.every.unwrap(), every, '--every'),
      maxCostUsd: numberOf(values, 'max-cost', { above: 0 }),
      maxTokens: numberOf(values, 'max-tokens', { min: 16, max: 8192, isWhole: true }),
      attempts: numberOf(values, 'attempts', { min: 1, max: 16, isWhole: true }),
      agent: agent === undefined ? undefined : oneOf(TaskAgent, agent, '--agent'),
    }),
  }
  const plan = await client.planThermometer({ body })
  if (values['plan'] === true) {
    context.out(plan, () => describePlan(plan))
    return plan.refusals.length === 0 ? 0 : 1
  }
  context.note(describePlan(plan))
  const state = await client.switchThermometerOn({ body })
  context.out(state, () => describe(state))
  return 0
}

async function read(context: Context): Promise<number> {
  const connection = await context.connect()
  const { run } = await connection.client.readThermometer()
  const reading = await whileFollowing(context, connection, async () => {
    for (let last = ''; ;) {
      const found = await readingOf(connection.client, run.id)
      const { state, counts, items } = found.run
      const line = `${items - counts.model.not_run} of ${items} answers`
      if (line !== last) context.note(line)
      last = line
      if (state !== 'queued' && state !== 'running') return found
      if (context.signal.aborted) await connection.client.cancelExamRun({ params: { id: run.examId, run: run.id } })
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })
  context.out(reading, () => describeReading(reading))
  return reading.run.state === 'completed' ? 0 : 1
}

async function readingOf(client: Connection['client'], run: string): Promise<ThermometerReading> {
  const { items } = await client.listThermometerReadings({ query: { limit: '20' } })
  const found = items.find((one) => one.run.id === run)
  if (!found) throw new AppError('exam_run_not_found')
  return found
}

const describe = ({ isOn, request, nextAt, problem }: Thermometer): string =>
  [
    isOn ? `On: exam ${request?.exam}, next date ${nextAt === null ? 'none' : nextAt.slice(0, 10)}.` : 'Off: nothing is asked.',
    ...(problem === null ? [] : [`The last reading that was due could not start: ${problem}`]),
  ].join('\n')

const describePlan = ({
  model,
  requests,
  inputTokens,
  mostOutputTokens,
  mostUsd,
  mostPerMonth,
  smallest,
  notes,
  refusals,
}: ThermometerPlan): string =>
  [
    `Each reading asks ${model.label}: ${
      inputTokens === null || mostOutputTokens === null
        ? `${formatNumber(requests)} runs of an agent.`
        : `${formatNumber(requests)} requests, about ${formatNumber(inputTokens)} input tokens and at most ${formatNumber(mostOutputTokens)} output tokens.`
    }`,
    `Cost of a reading at most: ${orDash(mostUsd, formatUsd)}. The first is taken now, then at most ${mostPerMonth} a month by date; new versions add at most one a day.`,
    `Who pays: ${model.payer} The recorded work goes to ${model.receiver}`,
    `Smallest difference that this exam usually shows: ${orDash(smallest, signed)}`,
    ...notes,
    ...refusals.map(({ message, hint }) => `It would not start: ${message}${hint === null ? '' : ` ${hint}`}`),
  ].join('\n')

const HEAD = ['at', 'run', 'state', 'why', 'model', 'client', 'level', 'difference', 'items that fell / rose']
const rowOf = ({ run, at, reason, client, level, change }: ThermometerReading): string[] => [
  at.slice(0, 10),
  run.id,
  run.state,
  READING_REASONS[reason],
  run.labels.model,
  client ?? '–',
  orDash(level, ({ mean }) => mean.toFixed(3)),
  orDash(change, ({ delta, intervals }) => `${orDash(delta, signed)} (${intervalText(intervals.clustered)})`),
  orDash(change, ({ losses, wins }) => `${losses} / ${wins}`),
]

const describeReading = ({ run, level, change, notes }: ThermometerReading): string =>
  [
    `${run.id}: ${run.state}. ${run.labels.model}${run.costUsd === null ? '' : `, ${formatUsd(run.costUsd)}`}.`,
    ...(run.detail === null ? [] : [run.detail]),
    `Level: ${orDash(level, ({ mean, low, high }) => `${mean.toFixed(3)} (${intervalText({ low, high })})`)}; owed ${run.owed}.`,
    ...(change === null
      ? []
      : [
          `${READING_SHOWS[change.shows]}: ${orDash(change.delta, signed)} since ${change.at.slice(0, 10)}; bootstrap ${intervalText(change.intervals.bootstrap)}, clustered ${intervalText(change.intervals.clustered)}; ${change.losses} items fell, ${change.wins} rose, ${change.ties} stayed.`,
          `Which: bashgym exam show ${run.id}`,
        ]),
    ...notes,
  ].join('\n')
