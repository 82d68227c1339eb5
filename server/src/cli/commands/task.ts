import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { notVerified } from '#contracts/check-words.ts'
import { verdictOf } from '#contracts/entities/check.ts'
import { SandboxBackend } from '#contracts/entities/sandbox.ts'
import { RESTING_STATES, type Task, TaskAgent, type TaskEndpoint, type TaskPlan, type TaskRequest } from '#contracts/entities/task.ts'
import { hasRedactions, redactedText } from '#contracts/redacted-text.ts'
import { given } from '#server/given.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { plural } from '#contracts/plural.ts'
import { HARBOR_AGENT, harborRequest, realFolder } from './harbor-input.ts'
import { type Command, type Connection, type Context, enumOf, listOf, numberOf, oneArgument, textOf, UsageError } from '../command.ts'
import { REDACT_HELP, REDACT_OPTIONS, redactOf } from './redact-option.ts'
import { formatDuration } from '../format.ts'

const POLL_MS = 500

export const task: Command = {
  name: 'task',
  usage:
    'task "…"|--harbor DIR [--repo DIR|URL] [--agent A] [--model M] [--provider P | --base-url U [--dialect anthropic|openai]] [--verify C] [--backend bubblewrap|docker] [--image I] [--allow HOST:PORT…] [--max-turns N] [--max-tokens N] [--max-cost USD] [--timeout S] [--redact | --no-redact] [--watch] [--plan]',
  manyValues: true,
  summary: 'let an agent work in a sandbox on a copy of a repository, and check what it left',
  help: () =>
    'Exit code 0: its checks passed; 1: they failed, there are none, or it has no result. Ctrl+C stops the run.\n' +
    'Your folder is not changed: the change waits in the app until you hand it back.\n' +
    'Requests use your own key (ANTHROPIC_API_KEY, or the key in Settings → Providers) and ANTHROPIC_BASE_URL or the default address.\n' +
    '--harbor runs the Harbor task in DIR (its machine, instruction and tests) with the shell agent.\n' +
    '--base-url uses another address, without a key. --watch shows what the agent does.\n' +
    `${REDACT_HELP}\n` +
    '--plan shows who pays, who gets the files and what would run, and starts nothing.',
  options: {
    harbor: { type: 'string' },
    repo: { type: 'string' },
    agent: { type: 'string' },
    model: { type: 'string' },
    provider: { type: 'string' },
    'base-url': { type: 'string' },
    dialect: { type: 'string' },
    verify: { type: 'string' },
    backend: { type: 'string' },
    image: { type: 'string' },
    allow: { type: 'string', multiple: true },
    'max-turns': { type: 'string' },
    'max-tokens': { type: 'string' },
    'max-cost': { type: 'string' },
    timeout: { type: 'string' },
    ...REDACT_OPTIONS,
    watch: { type: 'boolean' },
    plan: { type: 'boolean' },
  },
  async run(context) {
    const request = await requestOf(context)
    const connection = await context.connect()
    if (context.values['plan'] === true) {
      const plan = await connection.client.planTask({ body: request })
      context.out(plan, () => describePlan(plan))
      return plan.refusals.length === 0 ? 0 : 1
    }
    const created = await connection.client.createTask({ body: request })
    const ended = await follow(context, connection, created)
    const diff = ended.change === null || ended.change.files === 0 ? null : await patchOf(context, connection, ended.id)
    context.out(resultOf(ended, diff), () => describe(ended))
    return ended.state === 'review' || ended.state === 'done' ? 0 : 1
  },
}

/** Throws `UsageError`. The contract supplies defaults. */
async function requestOf(context: Context): Promise<Partial<TaskRequest> & Pick<TaskRequest, 'prompt'>> {
  const { values } = context
  const folder = textOf(values, 'harbor')
  if (folder !== undefined && context.args.length > 0) throw new UsageError('Give either a task or --harbor.')
  const harbor = folder === undefined ? null : await harborRequest(realFolder(folder))
  const prompt = harbor === null ? oneArgument(context, 'The task').trim() : harbor.request.prompt
  if (prompt.trim() === '') throw new UsageError('The task is empty.')
  const agent = enumOf(values, 'agent', TaskAgent.options) ?? (harbor === null ? undefined : HARBOR_AGENT)
  const number = (name: string) => numberOf(values, name, { above: 0 })
  const caps = given({
    turns: number('max-turns'),
    tokens: number('max-tokens'),
    costUsd: number('max-cost'),
    timeSec: number('timeout') ?? harbor?.timeSec,
  })
  return {
    prompt,
    ...harbor?.request,
    ...repositoryOf(textOf(values, 'repo')),
    ...given({
      agent,
      endpoint: endpointOf(context, agent),
      model: textOf(values, 'model'),
      verify: textOf(values, 'verify'),
      backend: enumOf(values, 'backend', SandboxBackend.options),
      image: textOf(values, 'image'),
      redact: redactOf(values),
      network: values['allow'] === undefined ? undefined : listOf(values, 'allow'),
    }),
    caps,
  }
}

function repositoryOf(repo: string | undefined): Pick<TaskRequest, 'directory' | 'repositoryUrl'> {
  if (repo === undefined) return {}
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(repo) && !fs.existsSync(repo)
  return isUrl ? { repositoryUrl: repo } : { directory: path.resolve(repo) }
}

function endpointOf({ values }: Context, agent: TaskAgent | undefined): TaskEndpoint | undefined {
  const baseUrl = textOf(values, 'base-url')
  const provider = enumOf(values, 'provider', ProviderId.options)
  const dialect = enumOf(values, 'dialect', ['anthropic', 'openai'] as const)
  if (baseUrl !== undefined && provider !== undefined) throw new UsageError('Use either --provider or --base-url.')
  if (baseUrl === undefined) return provider === undefined ? undefined : { kind: 'provider', provider }
  return {
    kind: 'url',
    baseUrl,
    dialect: dialect ?? ((agent ?? 'claude-code') === 'claude-code' ? 'anthropic' : 'openai'),
  }
}

/** Waits until the run has ended. Ctrl+C stops the run and still waits for its end. */
export async function follow(context: Context, { client }: Connection, created: Task): Promise<Task> {
  let current = created
  let after = 0
  let isStopping = false
  let lastLine = ''
  const params = { id: created.id }
  while (!(RESTING_STATES as readonly string[]).includes(current.state)) {
    if (context.signal.aborted && !isStopping) {
      isStopping = true
      await client.cancelTask({ params }).catch((error: unknown) => context.note(String(error)))
    }
    await sleep(POLL_MS)
    current = await client.getTask({ params })
    const line = current.detail === null ? current.state : `${current.state}: ${current.detail}`
    if (line !== lastLine) context.note(line)
    lastLine = line
    if (context.values['watch'] !== true) continue
    const { items, last } = await client.listTaskEvents({ params, query: { after: String(after) } })
    for (const { kind, text } of items) if (kind !== 'state') context.note(`${kind}: ${text}`)
    after = items.at(-1)?.no ?? Math.min(after, last)
  }
  return current
}

/** Prints a note and returns null if the patch cannot be read. */
async function patchOf(context: Context, { client }: Connection, id: string): Promise<string | null> {
  try {
    const response = await client.readTaskPatch({ params: { id } })
    return await response.text()
  } catch (error) {
    context.note(`The patch could not be read: ${(error as Error).message}`)
    return null
  }
}

const resultOf = (ended: Task, diff: string | null) => ({
  taskId: ended.id,
  status: ended.state,
  verification: ended.verification,
  diff,
  exitCode: ended.exitCode,
  traceId: ended.traceId,
  tokens: ended.tokens,
  costUsd: ended.costUsd,
  charged: ended.charged,
  removed: ended.removed,
  redacted: ended.redacted,
  durationMs: ended.durationMs,
  error: ended.error,
})

export function describePlan({ payer, privacy, model, setup, checks, checksLack, isolation, refusals }: TaskPlan): string {
  const commands = (what: string, all: readonly { command: string }[]) => `${what}: ${all.length === 0 ? 'none' : all.map(({ command }) => command).join('; ')}` // prettier-ignore
  return [
    `Who pays: ${payer}`,
    `Who gets what: ${privacy}`,
    `Model: ${model ?? 'not known yet'}`,
    commands('Set-up', setup),
    commands('Checks', checks),
    ...(checksLack === null ? [] : [`Not verified: the checks can't run, because ${checksLack} is missing in the sandbox.`]),
    `Isolation: ${isolation ?? 'none'}`,
    ...refusals.map(({ message, hint }) => `It would not start: ${message}${hint === null ? '' : ` ${hint}`}`),
  ].join('\n')
}

export function describe({ state, verification, change, error, turns, tokens, costUsd, removed, redacted, durationMs, id }: Task): string {
  const checks = verification === null ? null : `Checks: ${verdictOf(verification.status).replace('_', ' ')}${verification.total === null ? '' : `, ${verification.passed ?? 0} of ${verification.total} passed`}${verification.knownFailures.length === 0 ? '' : `, ${verification.knownFailures.length} known failures`}${verification.reward === null ? '' : `, reward ${verification.reward}`}` // prettier-ignore
  const tokenText = tokens.input === null ? '' : `, ${plural((tokens.input ?? 0) + (tokens.output ?? 0), 'token')}`
  return [
    `${state} (${id}): ${plural(turns, 'turn')}${tokenText}${costUsd === null ? '' : `, $${costUsd.toFixed(4)}`}${durationMs === null ? '' : `, ${formatDuration(durationMs)}`}`,
    ...(error === null ? [] : [error.message, ...(error.hint === null ? [] : [error.hint])]),
    ...(state === 'unverified' && verification?.status === 'error' ? [notVerified(verification.reason)] : []),
    ...(checks === null ? [] : [checks]),
    ...(removed.length === 0 ? [] : [`Not sent to the model's API: ${removed.join('; ')}`]),
    ...(hasRedactions(redacted) ? [redactedText(redacted)] : []),
    ...(change === null
      ? []
      : [`Changed: ${plural(change.files, 'file')}, ${plural(change.added, 'line')} added, ${change.removed} removed`]),
    ...(state === 'paused' ? [`Let it go on with \`bashgym tasks resume ${id}\`, or stop and review it in the app.`] : []),
    ...(state === 'review'
      ? [`Read it with \`bashgym tasks patch ${id}\`, apply it with \`bashgym tasks apply ${id}\`, or review it in the app.`]
      : []),
  ].join('\n')
}
