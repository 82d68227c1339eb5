import path from 'node:path'
import type { z } from 'zod'
import { type Exam, type ExamPlan, ExamRequest, type ExamRunPlan, type ExamRunRequest, type ExamTask } from '#contracts/entities/exam.ts'
import { TaskAgent } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { intervalText, neededText, signed, VERDICT_WORDS } from '#contracts/exam-words.ts'
import { plural } from '#contracts/plural.ts'
import { given } from '#server/given.ts'
import { writeOutput } from '#server/adapters/output-files/index.ts'
import { actionOf, allPages, type Command, type Connection, type Context, listOf, numberOf, oneOf, textOf, UsageError } from '../command.ts'
import { formatNumber, formatUsd, orDash, table } from '../format.ts'
import { modelOf } from '../named-model.ts'
import { waitFor, whileFollowing } from '../wait.ts'

const ACTIONS = ['make', 'list', 'show', 'edit', 'remove', 'run', 'cancel', 'resume', 'repeat', 'decide', 'certificate'] as const
type Client = Connection['client']
type Run = Awaited<ReturnType<Client['getExamRun']>>

export const examCommand: Command = {
  name: 'exam',
  usage:
    'exam make [--tasks [--undo few|always|never] [--repeats N]] [--query Q | --trace ID …] [--share S] [--unseen-by MODEL] [--calls N] [--unverified] [--name NAME] [--plan] | list | show ID | edit ID TASK --prompt TEXT | remove ID TASK | run [ID] --model M [--against M2] [--attempts K] [--agent A] [--turns N] [--time S] [--parallel N] [--max-tokens N] [--max-cost USD] [--plan] | cancel RUN | resume ID|RUN [--max-cost USD] | repeat RUN | decide RUN | certificate RUN [--output FILE]',
  summary: 'prove on your own held-out sessions whether a model got better',
  help: () =>
    'make holds sessions out: they never enter a data set again. Without --query and --trace it takes a fifth of all good sessions.\n' +
    'A model is ID (of the registry), base:ID (what it was trained from), PROVIDER/NAME (anthropic, nim, openai), or URL#NAME.\n' +
    '--tasks makes whole tasks instead of calls: sessions whose work can be done again, proven in sandboxes. show lists them, and why others\n' +
    'fell out; edit changes what agents are asked in one, and remove leaves one out, before the first run; resume goes on with an exam that was interrupted while it was made.\n' +
    'run asks both models for the next call of every item of the newest exam, or of ID; tasks are done by agents (--agent, default shell),\n' +
    '--attempts times by each model. Without --against, a model of the registry meets its base. repeat asks again what got no verdict, on both sides. --plan shows cost and receivers, and starts nothing.\n' +
    'Exit code of run and decide: 0 if the model is better, 1 otherwise.',
  options: {
    query: { type: 'string' },
    trace: { type: 'string', multiple: true },
    share: { type: 'string' },
    'unseen-by': { type: 'string' },
    calls: { type: 'string' },
    unverified: { type: 'boolean' },
    name: { type: 'string' },
    exam: { type: 'string' },
    tasks: { type: 'boolean' },
    undo: { type: 'string' },
    prompt: { type: 'string' },
    repeats: { type: 'string' },
    attempts: { type: 'string' },
    agent: { type: 'string' },
    turns: { type: 'string' },
    time: { type: 'string' },
    model: { type: 'string' },
    against: { type: 'string' },
    'max-tokens': { type: 'string' },
    parallel: { type: 'string' },
    'max-cost': { type: 'string' },
    plan: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
  },
  async run(context) {
    const [action, id, ...more] = actionOf(context, 'exam', ACTIONS, 'list')
    if (action === 'remove') return remove(context, id, more)
    if (action === 'edit') return edit(context, id, more)
    const takesId = action !== 'make' && action !== 'list' && action !== 'run'
    if (more.length > 0 || (!takesId && action !== 'run' && id !== undefined))
      throw new UsageError(`Unexpected argument "${more[0] ?? id}".`)
    if (takesId && id === undefined) throw new UsageError(`exam ${action} needs an id.`)
    if (action === 'make') return make(context)
    if (action === 'list') return list(context)
    if (action === 'run') return start(context, id)
    if (action === 'show') return show(context, id!)
    return act(context, action, id!)
  },
}

async function make(context: Context): Promise<void> {
  const { values } = context
  const traces = listOf(values, 'trace')
  const undo = textOf(values, 'undo')
  const body: z.input<typeof ExamRequest> = {
    ...(values['tasks'] === true && { kind: 'solved_tasks' }),
    ...(undo !== undefined && { undo: oneOf(ExamRequest.shape.undo.unwrap(), undo, '--undo') }),
    unverified: values['unverified'] === true,
    ...given({
      query: textOf(values, 'query'),
      traceIds: traces.length === 0 ? undefined : traces,
      share: numberOf(values, 'share', { above: 0, max: 1 }),
      unseenBy: textOf(values, 'unseen-by'),
      repeats: numberOf(values, 'repeats', { min: 1, max: 5, isWhole: true }),
      callsPerSession: numberOf(values, 'calls', { min: 1, max: 8, isWhole: true }),
      name: textOf(values, 'name'),
    }),
  }
  const connection = await context.connect()
  const plan = await connection.client.planExam({ body })
  if (values['plan'] === true) return context.out(plan, () => describePlan(plan))
  const { result } = await waitFor(context, connection, await connection.client.makeExam({ body }))
  const exam = result as Exam // the job that makes an exam
  context.out(exam, () => describeExam(exam))
}

async function list(context: Context): Promise<void> {
  const { client } = await context.connect({ reads: true })
  const items = await allPages((query) => client.listExams({ query: { ...query, limit: '100' } }))
  context.out({ items }, () =>
    items.length === 0
      ? 'There is no exam yet. Make one: bashgym exam make'
      : table([
          ['id', 'name', 'kind', 'sessions', 'items', 'runs'],
          ...items.map(({ id, name, kind, state, sessions, items: count, runs }) => [
            id,
            name,
            `${KINDS[kind]}${state === 'ready' ? '' : ` (${state})`}`,
            String(sessions),
            String(count),
            String(runs),
          ]),
        ]),
  )
}

async function show(context: Context, id: string): Promise<void> {
  const { client } = await context.connect({ reads: true })
  const exam = await client.getExam({ params: { id } }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'exam_not_found') return null
    throw error
  })
  if (!exam) {
    const run = await findRun(client, id)
    return context.out(run, () => describeRun(run))
  }
  const runs = await allPages((query) => client.listExamRuns({ params: { id }, query: { ...query, limit: '100' } }))
  const tasks =
    exam.kind === 'solved_tasks'
      ? await allPages((query) => client.listExamTasks({ params: { id }, query: { ...query, limit: '100' } }))
      : []
  context.out({ ...exam, tasks, runs }, () =>
    [
      describeExam(exam),
      ...tasks.map(describeTask),
      ...(runs.length === 0
        ? ['It has not been run yet.']
        : [
            table([
              ['run', 'state', 'model', 'against', 'verdict', 'difference'],
              ...runs.map(({ id: run, state, labels, verdict, delta }) => [
                run,
                state,
                labels.model,
                labels.base,
                orDash(verdict, (word) => VERDICT_WORDS[word]),
                orDash(delta, signed),
              ]),
            ]),
          ]),
    ].join('\n'),
  )
}

async function remove(context: Context, id: string | undefined, [task, ...more]: string[]): Promise<number> {
  if (id === undefined || task === undefined || more.length > 0)
    throw new UsageError('exam remove needs the id of an exam and of its task.')
  const { client } = await context.connect()
  const exam = await client.removeExamTask({ params: { id, task } })
  context.out(exam, () => describeExam(exam))
  return 0
}

async function edit(context: Context, id: string | undefined, [task, ...more]: string[]): Promise<number> {
  const prompt = textOf(context.values, 'prompt')
  if (id === undefined || task === undefined || prompt === undefined || more.length > 0)
    throw new UsageError('exam edit needs the id of an exam and of its task, and --prompt TEXT.')
  const { client } = await context.connect()
  const edited = await client.editExamTask({ params: { id, task }, body: { prompt } })
  context.out(edited, () => `Task ${edited.id} now asks: ${edited.prompt}`)
  return 0
}

async function start(context: Context, named: string | undefined): Promise<number> {
  const { values } = context
  const model = textOf(values, 'model')
  if (model === undefined) throw new UsageError('--model is missing: ID of the registry, PROVIDER/NAME, or URL#NAME.')
  const against = textOf(values, 'against')
  const agent = textOf(values, 'agent')
  const body: z.input<typeof ExamRunRequest> = {
    model: modelOf(model),
    ...given({
      against: against === undefined ? undefined : modelOf(against),
      attempts: numberOf(values, 'attempts', { min: 1, max: 16, isWhole: true }),
      agent: agent === undefined ? undefined : oneOf(TaskAgent, agent, '--agent'),
      turns: numberOf(values, 'turns', { min: 1, max: 1000, isWhole: true }),
      timeSec: numberOf(values, 'time', { min: 10, max: 86_400, isWhole: true }),
      parallel: numberOf(values, 'parallel', { min: 1, max: 16, isWhole: true }),
      maxTokens: numberOf(values, 'max-tokens', { min: 16, max: 8192, isWhole: true }),
      maxCostUsd: numberOf(values, 'max-cost', { above: 0 }),
    }),
  }
  const connection = await context.connect()
  const { client } = connection
  const id = named ?? textOf(values, 'exam') ?? (await client.listExams({ query: { limit: '1' } })).items[0]?.id
  if (id === undefined) throw new AppError('exam_not_found', { message: 'There is no exam yet.', hint: 'Make one: bashgym exam make' })
  if (values['plan'] === true) {
    const plan = await client.planExamRun({ params: { id }, body })
    context.out(plan, () => describeRunPlan(plan))
    return plan.refusals.length === 0 ? 0 : 1
  }
  const { id: run } = await client.startExamRun({ params: { id }, body })
  return finish(context, connection, { id, run })
}

/** Waits for the end of a run, decides it if it is complete, and prints what it shows. */
async function finish(context: Context, connection: Connection, params: { id: string; run: string }): Promise<number> {
  const { client } = connection
  const run = await whileFollowing(context, connection, async () => {
    for (let last = ''; ;) {
      const found = await client.getExamRun({ params })
      const { counts, items } = found
      const line = `${2 * items - counts.model.not_run - counts.base.not_run} of ${2 * items} answers`
      if (line !== last) context.note(line)
      last = line
      if (found.state !== 'queued' && found.state !== 'running') return found
      if (context.signal.aborted) await client.cancelExamRun({ params })
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })
  if (run.state === 'completed') await client.decideExamRun({ params })
  const decided = await client.getExamRun({ params })
  context.out(decided, () => describeRun(decided))
  return decided.verdict === 'ship' ? 0 : 1
}

async function act(context: Context, action: 'cancel' | 'resume' | 'repeat' | 'decide' | 'certificate', id: string): Promise<number> {
  const connection = await context.connect(action === 'certificate' ? { reads: true } : {})
  const { client } = connection
  if (action === 'resume' && (await isExam(client, id))) {
    const { result } = await waitFor(context, connection, await client.resumeExam({ params: { id } }))
    const exam = result as Exam // the job that makes an exam
    context.out(exam, () => describeExam(exam))
    return 0
  }
  const { examId } = await findRun(client, id)
  const params = { id: examId, run: id }
  if (action === 'cancel') {
    await client.cancelExamRun({ params })
    const run = await client.getExamRun({ params })
    context.out(run, () => describeRun(run))
    return 0
  }
  if (action === 'resume') {
    const maxCostUsd = numberOf(context.values, 'max-cost', { above: 0 })
    await client.resumeExamRun({ params, body: given({ maxCostUsd }) })
    return finish(context, connection, params)
  }
  if (action === 'repeat') {
    await client.repeatOwedExamItems({ params })
    return finish(context, connection, params)
  }
  const certificate = await (action === 'decide' ? client.decideExamRun({ params }) : client.getExamCertificate({ params }))
  const output = textOf(context.values, 'output')
  const document = `${JSON.stringify(certificate, null, 2)}\n`
  if (output !== undefined) await writeOutput(path.resolve(output), new Blob([document]).stream())
  context.out(certificate, () => (output === undefined ? document.trimEnd() : `Written to ${path.resolve(output)}.`))
  return action === 'certificate' || certificate.verdict === 'ship' ? 0 : 1
}

const isExam = async (client: Client, id: string): Promise<boolean> =>
  (await allPages((query) => client.listExams({ query: { ...query, limit: '100' } }))).some((exam) => exam.id === id)

/** A run by its id alone. */
async function findRun(client: Client, run: string): Promise<Run> {
  for (const { id } of await allPages((query) => client.listExams({ query: { ...query, limit: '100' } })))
    try {
      return await client.getExamRun({ params: { id, run } })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'exam_run_not_found') throw error
    }
  throw new AppError('exam_run_not_found', {
    message: `There is no exam and no run with the id "${run}".`,
    hint: 'List them: bashgym exam list',
  })
}

const counted = (reasons: ExamPlan['leftOut']) => reasons.map(({ reason, count }) => `  ${formatNumber(count)}: ${reason}`)

const KINDS = { next_calls: 'next calls', solved_tasks: 'solved tasks' } as const

const describePlan = ({ kind, sessions, matching, leftOut, inDatasets, smallest, minSessions }: ExamPlan): string =>
  [
    kind === 'solved_tasks'
      ? `${formatNumber(sessions)} of ${plural(matching, 'session')} would be tried; which of them can be done again is known only then.`
      : `${formatNumber(sessions)} of ${plural(matching, 'session')} would be held out.`,
    ...(leftOut.length > 0 ? ['Left out:', ...counted(leftOut)] : []),
    ...(inDatasets > 0 ? [`${inDatasets} of them are in a data set: models that were trained on it will be refused.`] : []),
    `Smallest difference that so many usually show: ${smallest === null ? 'not measured' : signed(smallest)}. At least ${minSessions} sessions are needed for a proof.`,
  ].join('\n')

const describeExam = ({ id, name, kind, state, detail, considered, waiting, sessions, items, leftOut }: Exam): string =>
  [
    kind === 'solved_tasks'
      ? `${id}: ${name}, ${plural(items, 'task')} from ${formatNumber(sessions)} of ${orDash(considered, formatNumber)} sessions.`
      : `${id}: ${name}, ${plural(items, 'call')} of ${plural(sessions, 'session')}.`,
    ...(state === 'ready'
      ? []
      : [`${state}: ${formatNumber(waiting)} sessions are still to be tried.${detail === null ? '' : ` ${detail}`}`]),
    ...(leftOut.length > 0 ? ['Left out:', ...counted(leftOut)] : []),
  ].join('\n')

const describeTask = ({ id, prompt, command, mustPass, mustStay, undone, proof: { base, red, gold, runs } }: ExamTask): string =>
  [
    `${id}: ${prompt.split('\n', 1)[0]!.slice(0, 100)}`,
    `  ${[base && 'BASE fails', red && 'RED fails', gold && 'GOLD passes'].filter(Boolean).join(', ')}, ${runs} times each. ${command}: ${mustPass.length} must pass, ${mustStay} must stay.`,
    ...(undone === null ? [] : [`  undone: ${undone}`]),
  ].join('\n')

const describeRunPlan = ({
  model,
  against,
  requests,
  inputTokens,
  mostOutputTokens,
  mostUsd,
  smallest,
  notes,
  refusals,
}: ExamRunPlan): string =>
  [
    `${model.label} against ${against.label}: ${
      inputTokens === null || mostOutputTokens === null
        ? `${plural(requests, 'run')} of an agent; how many tokens they take is not known before.`
        : `${plural(requests, 'request')}, about ${formatNumber(inputTokens)} input tokens and at most ${formatNumber(mostOutputTokens)} output tokens.`
    }`,
    `Cost at most: ${orDash(mostUsd, formatUsd)}`,
    ...new Set([model, against].map(({ payer, receiver }) => `Who pays: ${payer} The recorded work goes to ${receiver}.`)),
    `Smallest difference that this exam usually shows: ${orDash(smallest, signed)}`,
    ...notes,
    ...refusals.map(({ message, hint }) => `It would not start: ${message}${hint === null ? '' : ` ${hint}`}`),
  ].join('\n')

function describeRun({ id, kind, state, detail, labels, owed, items, costUsd, result }: Run): string {
  const { verdict, reason, delta, intervals, sessions, wins, losses, ties, p, noiseFloor, notes } = result
  const needed = neededText(result)
  return [
    `${id}: ${state}. ${labels.model} against ${labels.base}${costUsd === null ? '' : `, ${formatUsd(costUsd)}`}.`,
    ...(detail === null ? [] : [detail]),
    `${VERDICT_WORDS[verdict]}. ${reason}`,
    ...(needed === null ? [] : [needed]),
    `Difference: ${orDash(delta, signed)} on ${items - owed} ${kind === 'solved_tasks' ? 'tasks' : 'calls'} of ${plural(sessions, 'session')}; bootstrap ${intervalText(intervals.bootstrap)}, clustered ${intervalText(intervals.clustered)}.`,
    `Won ${wins}, lost ${losses}, tied ${ties}${p === null ? '' : ` (sign test p = ${p.toPrecision(2)})`}; owed ${owed}.`,
    ...(noiseFloor ? [`Noise floor: ${signed(noiseFloor.delta)} (${intervalText(noiseFloor)}).`] : []),
    ...notes,
  ].join('\n')
}
