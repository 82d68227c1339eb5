/**
 * Our mod of Claude Code: the guard, which judges Claude's commands here (`guard.ts`), and an agent type `gym`, whose steps are answered by the user's own model. The conversation goes to a
 * program of ours, which knows the app and its token. Whatever happens, a step of this agent is answered here: if it were
 * passed on, the client would ask its provider.
 */
import type { Check, Chunk, Client, Message, On, Step, StepResult, Usage } from './client.ts'
import { isChecked, stricter } from './decision.ts'
import { type Guard, guarded, guardIn, unchecked } from './guard.ts'

interface Config {
  /** The program with its first arguments, and the last ones; between them is one of the calls. */
  argv: string[]
  options: string[]
  calls: { step: string; check: string }
  env: Record<string, string>
  /** The file that says which model answers. */
  student: string
  /** The file with rules for Claude's own steps; missing while there are none. */
  rules: string
  /** The file that switches the guard on, and the program that takes what it decided. */
  guard: string
  tell: string[]
}

interface Rule {
  when: 'turn_start' | 'turn_rest' | 'subagent'
  /** Empty: every type. */
  agentType: string
  /** Empty: as the client chose. */
  model: string
  effort: string | null
}

interface Answer {
  text: string
  calls: { name: string; input: unknown }[]
  usage?: Partial<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number | null>>
}

// The installer replaces this text in its copy.
const config = JSON.parse('__BASHGYM_CONFIG__') as Config

const TYPE = 'bashgym:gym'
/** Names of students begin like this, so that the client's provider knows none of them. */
const NAME = 'gym-'
/** Ids of calls that a student made. */
const CALL = 'gym_'
const TOOLS = ['Bash', 'Read', 'Edit', 'Write', 'Glob', 'Grep']
const HAND_BACK = 'SubagentHandback'

const IN_SANDBOX =
  ' It works on a copy of the project in a sandbox and changes no file here: its report has a patch, which you review and apply with your own tools.'

/** Agents of our type, with the task that each was given. */
const tasks = new Map<string, string | null>()
/** Read at the begin of each turn. */
let rules: Rule[] | null = null
/** Looked at as each step begins, so that a decision waits for nothing. */
let guard: Guard | null = null
let session: string | null = null
let cwd: string | null = null

/** The client follows `$` into declared functions only, so all that take it are. */
export function register(on: On): void {
  on('session.start', async ($, e, next) => {
    await Promise.all([registerAgent($).catch(() => undefined), lookAround($)])
    return next(e)
  })

  on('agent.spawn', async (_$, e, next) => {
    if (e.subagentType !== TYPE) return next(e)
    const { model: _model, ...task } = e // another model's name would be asked for at the client's provider
    const spawned = await next(task)
    if (spawned.agentId !== undefined) tasks.set(spawned.agentId, e.prompt ?? null)
    return spawned
  })

  on('turn.step', async function* ($, e, next) {
    void lookAround($)
    if (e.agentId === undefined || !(await isOurs($, e.model, e.agentId))) return yield* next(await ruled($, e))
    let answer: Answer
    let mustReport = false
    try {
      const messages = await $.session.messages({ as: 'api', agentId: e.agentId })
      mustReport = mustHandBack(messages)
      answer = await ask($, e, e.agentId, messages)
    } catch (error) {
      answer = { text: `The gym agent stopped: ${error instanceof Error ? error.message : String(error)}`, calls: [] }
    }
    // Only now: a call that breaks off would stay in the conversation, and the client would ask its provider.
    return yield* play(e, answer, mustReport)
  })

  on('tool.check', async ($, e, next) => {
    const engine = await next(e)
    if (isOurCall(e)) {
      if (!isChecked(e.tool, true, engine)) return engine
      return stricter(engine, await checkCommand($, e))
    }
    const { decision, action } = guarded(guard, e, engine, cwd)
    if (action !== null) void tell($, e, action)
    return decision
  }).catch(async (_$, e, beneath) => {
    const engine = await beneath(e)
    if (isOurCall(e)) return isChecked(e.tool, true, engine) ? stricter(engine, null) : engine
    return e.tool === 'Bash' ? unchecked(guard, engine) : engine
  })
}

/** Each call of the client takes some milliseconds. */
async function lookAround($: Client): Promise<void> {
  const [text, id, folder] = await Promise.all([
    $.fs.read(config.guard).catch(() => ''), // off: no file
    $.session.id().catch(() => null),
    $.session.cwd().catch(() => null),
  ])
  guard = guardIn(text)
  session = id
  cwd = folder
}

/** For the list of events; it stays in the data directory while the app is closed. */
async function tell($: Client, { tool, input, tool_use_id: id }: Check, action: string): Promise<void> {
  const event = { action, session_id: session, cwd, tool_name: tool, tool_input: input, tool_use_id: id }
  const program = $.process.spawn({ argv: config.tell, input: JSON.stringify(event) })
  try {
    while (!(await program.next()).done);
  } catch {
    // the decision stands, only the list lacks it
  }
}

async function registerAgent($: Client): Promise<void> {
  const student = JSON.parse(await $.fs.read(config.student)) as { model?: unknown; label?: unknown; work?: unknown }
  if (typeof student.model !== 'string' || !student.model.startsWith(NAME)) return
  await $.agent.register({
    name: 'gym',
    description: `The user's own model ${String(student.label)}, trained on their sessions and running on their machine. Use it when the user asks for it. Give it one small task with everything that it needs to know: it does not read CLAUDE.md, and it reports back in text.${student.work === 'sandbox' ? IN_SANDBOX : ''}`,
    prompt: 'You are a coding agent.',
    tools: TOOLS,
    model: student.model,
  })
}

/** A step of Claude with the model and effort of the user's rule for it, if there is one. Whatever fails, the step goes on as it was. */
async function ruled($: Client, e: Step): Promise<Step> {
  try {
    if (e.index === 0 || rules === null) rules = await readRules($)
    if (rules.length === 0 || !e.model.includes('claude')) return e
    const type = e.agentId === undefined ? '' : (await agentOf($, e.agentId))?.type
    // a fork goes on with the conversation and the cache of its parent
    if (type === undefined || type === 'fork') return e
    const when = e.agentId !== undefined ? 'subagent' : e.index === 0 ? 'turn_start' : 'turn_rest'
    const rule = rules.find((one) => one.when === when && (when !== 'subagent' || one.agentType === '' || one.agentType === type))
    return rule ? { ...e, ...(rule.model && { model: rule.model }), ...(rule.effort && { effort: rule.effort }) } : e
  } catch {
    return e
  }
}

async function readRules($: Client): Promise<Rule[]> {
  const text = await $.fs.read(config.rules).catch(() => '') // no rules: no file
  const { rules: found } = (readJson(text) ?? {}) as { rules?: Rule[] }
  return Array.isArray(found) ? found : []
}

async function isOurs($: Client, model: string, agentId: string): Promise<boolean> {
  if (model.startsWith(NAME) || tasks.has(agentId)) return true
  return (await agentOf($, agentId))?.type === TYPE
}

async function agentOf($: Client, agentId: string) {
  return (await $.agent.list().catch(() => [])).find(({ id }) => id === agentId)
}

const isOurCall = ({ agentId, tool_use_id: id }: Check): boolean =>
  (agentId !== undefined && tasks.has(agentId)) || id?.startsWith(CALL) === true

/** In auto mode only a call of this tool delivers a report. */
function mustHandBack(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')?.content
  const hasCalled = Array.isArray(last) && last.some(({ type, name }) => type === 'tool_use' && name === HAND_BACK)
  return !hasCalled && JSON.stringify(messages.filter(({ role }) => role === 'user')).includes(`${HAND_BACK}({message`)
}

async function ask($: Client, e: Step, agentId: string, messages: Message[]): Promise<Answer> {
  const { version } = await $.session.version()
  const request = { model: e.model, agentId, version, task: tasks.get(agentId) ?? null, messages }
  const answer = (await run($, 'step', request)) as Partial<Answer>
  if (typeof answer.text !== 'string' || !Array.isArray(answer.calls)) throw new Error('the answer of Bash Gym could not be read.')
  return { text: answer.text, calls: answer.calls, usage: answer.usage ?? {} }
}

/** Runs our program. Throws a sentence. */
async function run($: Client, action: 'step' | 'check', input: unknown): Promise<unknown> {
  const program = $.process.spawn({
    argv: [...config.argv, config.calls[action], ...config.options],
    input: JSON.stringify(input),
    env: config.env,
  })
  let text = ''
  try {
    for (;;) {
      const { done, value } = await program.next()
      if (done) break
      if (value.stream === 'stdout') text += value.text
    }
  } catch {
    throw new Error('Bash Gym could not be started. Start it, or install its mod again.')
  } finally {
    await program.return({ code: null, signal: null }).catch(() => undefined) // ends it, also if the step was cancelled
  }
  const document = readJson(text)
  if (document === null) throw new Error('Bash Gym ended without an answer.')
  const { error } = document as { error?: { message?: string; hint?: string | null } }
  if (error) throw new Error([error.message, error.hint].filter(Boolean).join(' '))
  return document
}

function readJson(text: string): object | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

async function* play(e: Step, { text, calls, usage = {} }: Answer, mustReport: boolean): AsyncGenerator<Chunk, StepResult, void> {
  const toolUses = calls.length > 0 ? calls : mustReport ? [{ name: HAND_BACK, input: { message: text } }] : []
  const visible = calls.length === 0 && mustReport ? '' : text
  const result = { answer: visible, toolUses, stopReason: toolUses.length > 0 ? 'tool_use' : 'end_turn', usage: counts(usage) }
  let index = 0
  if (visible !== '') yield { kind: 'text', index: index++, text: visible }
  for (const { name, input } of toolUses) {
    yield { kind: 'tool', index, id: `${CALL}${e.turnId}_${e.index}_${index}`.replaceAll(/[^\w-]/g, ''), name }
    yield { kind: 'input', index: index++, json: JSON.stringify(input) }
  }
  yield { kind: 'stop', stopReason: result.stopReason, usage: result.usage }
  return { turnId: e.turnId, index: e.index, ...result }
}

/** All four: with fewer the client drops the answer and asks its provider. */
function counts({ input, output, cacheRead, cacheWrite }: NonNullable<Answer['usage']>): Usage {
  const count = (value: number | null | undefined) => (typeof value === 'number' && value > 0 ? Math.round(value) : 0)
  return {
    input_tokens: count(input),
    output_tokens: count(output),
    cache_read_input_tokens: count(cacheRead),
    cache_creation_input_tokens: count(cacheWrite),
  }
}

/** Our rules about a command of a student, which the app lists; null if they could not be asked. */
async function checkCommand($: Client, { input, tool_use_id: id }: Check): Promise<{ verdict: string; reason: string } | null> {
  const { command } = (input ?? {}) as { command?: unknown }
  if (typeof command !== 'string') return null
  return (await run($, 'check', { command, profile: 'native', call: { session, id: id ?? null } }).catch(() => null)) as {
    verdict: string
    reason: string
  } | null
}
