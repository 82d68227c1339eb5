import fs from 'node:fs'
import path from 'node:path'
import {
  type ENDED_STATES,
  RESTING_STATES,
  type Task,
  type TaskAgent,
  TaskAsked,
  type TaskPlan,
  type TaskRequest,
  type TaskState,
} from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { Cancelled } from '#server/jobs/stops.ts'
import { type Active, createLanes } from '#server/runs/lanes.ts'
import { createOnce } from '#server/runs/once.ts'
import { placeBelow } from '#server/within.ts'
import { throwFirst } from '#server/refusals.ts'
import { createLedger, type Ledger } from '#server/adapters/llm/index.ts'
import type { RunRedaction, RunRedactionOptions } from '../privacy/index.ts'
import { redactedText } from '#contracts/redacted-text.ts'
import type { TaskChange } from './change.ts'
import type { AgentInput } from './driver.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { forgetNow } from './resume-file.ts'
import { idOfLeft, leftNameOf, promptOf, RunPaused, UNINTERRUPTED } from './pausing.ts'
import { planOf, type PlanDeps } from './plan.ts'
import { redactionOf } from './receiver.ts'
import { toTask } from './record.ts'
import { createTaskStore, type TaskFacts, type TaskRow, type TaskStep } from './store.ts'
import { newTaskId } from './task-id.ts'
import { runTitle } from './title.ts'

export interface AgentsDeps extends Omit<PlanDeps, 'tasksFolder'> {
  /** How many runs may be active at the same time. */
  maxActive: () => number
  perform: (work: Performing) => Promise<Ending>
  /** Reads what an interrupted agent left. Throws if that is not possible now. */
  readLeft: (work: Interrupted) => Promise<unknown>
  /** Deletes the files that the sandbox of a run left. */
  forgetLeft: (name: string) => Promise<void>
  /** Opens the privacy gate for the requests of one run. */
  openRedaction: (options: RunRedactionOptions) => RunRedaction
  /** `whyItStays`: why the files of a run must not be removed, or null. `forget`: removes what hand-back stored about the run. */
  handBack: { whyItStays: (id: string) => Promise<string | null>; forget: (id: string) => Promise<void> }
}

/** An active run, for the code that performs it. */
export interface Performing {
  row: TaskRow
  /** The folder of the run, which exists. */
  folder: string
  /** The prompt, or the message that an ended run continues with. */
  prompt: string
  inbox: Inbox
  /** The budget of the run: all messages to its agent, and all sub-agents, share it. */
  ledger: Ledger
  /** Replaces secrets in its requests; null: they are sent as they are. */
  redaction: RunRedaction | null
  signal: AbortSignal
  current: () => TaskFacts
  /** `quietly`: published as progress instead of a new state. */
  change: (values: { state?: TaskState; facts?: Partial<TaskFacts>; quietly?: boolean }) => void
  step: (step: TaskStep) => void
}

/** A run whose interrupted agent left something. */
export type Interrupted = Pick<Performing, 'row' | 'folder' | 'signal' | 'current' | 'change' | 'step'>

export interface Ending {
  state: (typeof ENDED_STATES)[number]
  facts: Partial<TaskFacts>
}

const CLOSED = 'Bash Gym was closed while the agent was working. Its files and its conversation are kept.'
const KILLED = 'Bash Gym ended while the agent was working. Its files and its conversation are kept.'
const PAUSED = 'You paused it. Its files and its conversation are kept.'
const MAX_TEXT_LENGTH = 8000
/** Of these, the last message is looked for. */
const LAST_EVENTS = 100

/** Runs agents: a run waits for a place, is performed and ends; a message to an ended run starts it again. */
export function createAgents(core: Core, deps: AgentsDeps) {
  const { db, tx, events, log, now, paths } = core
  const { handBack } = deps
  const store = createTaskStore(db)
  /** Runs whose interrupted agent's files are being read. */
  const reading = new Map<string, Promise<void>>()
  const closing = new AbortController()

  const view = (row: TaskRow): Task => toTask(row, lanes.place(row.id))
  const folderOf = (id: string) => placeBelow(paths.tasks, id)
  const change = (id: string, values: Parameters<typeof store.change>[1]): Task =>
    tx(() => {
      const task = view(store.change(id, values))
      events.append('task:status', { task })
      return task
    })
  const progress = (row: TaskRow, lastEvent = store.lastEvent(row)): void => {
    const { turns, tokens, costUsd } = row.facts
    events.passing('task:progress', { id: row.id, lastEvent, turns, tokens, costUsd })
  }
  const step = (row: Pick<TaskRow, 'no' | 'id'>, taskStep: TaskStep): void => {
    const lastEvent = tx(() => store.addEvent(row, now(), { ...taskStep, text: shortened(taskStep.text) }))
    progress(store.require(row.id), lastEvent)
  }
  const note = (row: TaskRow, text: string, kind: TaskStep['kind'] = 'state', isError = false) =>
    step(row, { kind, text, tool: null, isError, agent: null })

  const forgetLeft = (id: string): void =>
    void deps.forgetLeft(leftNameOf(id)).catch((error: unknown) => log.warn({ err: error, task: id }, 'The files of a sandbox could not be deleted')) // prettier-ignore

  const end = (id: string, { state, facts }: Ending): void => {
    const row = store.require(id)
    forgetNow(folderOf(id))
    tx(() => {
      note(row, facts.error?.message ?? facts.detail ?? state, 'state', state === 'failed')
      const task = view(
        store.change(id, {
          state,
          endedAt: now(),
          facts: { detail: null, waitingUntil: null, question: null, ...UNINTERRUPTED, ...facts },
        }),
      )
      events.append('task:status', { task })
      events.append('task:complete', { task })
    })
    if (row.facts.hasBegun) forgetLeft(id)
  }

  /** What the run does next after an interruption: it starts again if its agent had done nothing, and goes on with the checks if it had ended. */
  const interrupt = (id: string, why: string, restarts: boolean): void => {
    const row = store.require(id)
    const { hasBegun, agentEnd } = row.facts
    if (restarts && (!hasBegun || agentEnd !== null))
      return void change(id, { state: 'queued', facts: { detail: null, waitingUntil: null, question: null } })
    tx(() => {
      note(row, why)
      const facts = { detail: why, waitingUntil: null, question: null, isUnread: hasBegun && agentEnd === null }
      change(id, { state: 'paused', endedAt: now(), facts })
    })
  }
  /** Reads what the agent of a paused run left, once. */
  const readLeft = (id: string): Promise<void> => {
    const row = store.require(id)
    if (!row.facts.isUnread) return Promise.resolve()
    const current = reading.get(id)
    if (current) return current
    const work = async () => {
      const folder = folderOf(id)
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      await deps.readLeft({
        row,
        folder,
        signal: closing.signal,
        current: () => store.require(id).facts,
        change: ({ state, facts }) => void change(id, { ...(state && { state }), ...(facts && { facts }) }),
        step: (taskStep) => step(row, taskStep),
      })
      change(id, { facts: { isUnread: false } })
    }
    const done = work().finally(() => reading.delete(id))
    reading.set(id, done)
    return done
  }
  const readLeftSoon = (id: string): void =>
    void readLeft(id).catch((error: unknown) => {
      if (!closing.signal.aborted) log.warn({ err: error, task: id }, 'What an interrupted agent left could not be read')
    })

  /** Stores each reservation before its request is sent, so that a killed server does not forget it. */
  const ledgerOf = ({ id, request: { caps }, facts }: TaskRow): Ledger =>
    createLedger({
      caps: { requests: caps.turns, totalTokens: caps.tokens, costUsd: caps.costUsd },
      before: facts.charged ?? chargedBefore(facts),
      save: (charged) => void store.change(id, { facts: { charged } }),
    })

  const isAskedHere = (agent: TaskAgent) => deps.drivers.some((one) => one.agent === agent && one.asksItself)
  const redactionFor = (row: TaskRow, folder: string): RunRedaction | null => {
    const { redact, endpoint, model, agent } = row.request
    if (!redactionOf(redact, deps.models.find(endpoint, model), isAskedHere(agent) ? 'server' : 'program').isOn) return null
    return deps.openRedaction({
      file: path.join(folder, 'placeholders.json'),
      onReplaced(redacted) {
        tx(() => store.change(row.id, { facts: { redacted } }))
        note(row, redactedText(redacted), 'note')
      },
    })
  }

  const work = async (id: string, { signal, live: inbox }: Active<Inbox>): Promise<void> => {
    const { startedAt } = store.require(id)
    change(id, { state: 'preparing', startedAt: startedAt ?? now(), endedAt: null, facts: { error: null, claim: null, exitCode: null } })
    const row = store.require(id)
    const folder = folderOf(id)
    const performing: Performing = {
      row,
      folder,
      prompt: promptOf(row),
      inbox,
      ledger: ledgerOf(row),
      redaction: redactionFor(row, folder),
      signal,
      current: () => store.require(id).facts,
      change: ({ quietly = false, ...values }) => (quietly ? progress(tx(() => store.change(id, values))) : void change(id, values)),
      step: (taskStep) => step(row, taskStep),
    }
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      end(id, await deps.perform(performing))
    } catch (error) {
      if (!store.get(id)) return
      const reason: unknown = signal.aborted ? signal.reason : error
      if (reason instanceof RunPaused) {
        interrupt(id, reason.message, !lanes.isOpen())
        return lanes.isOpen() ? readLeftSoon(id) : undefined
      }
      if (reason instanceof Cancelled) return end(id, { state: 'stopped', facts: { detail: null } })
      log.error({ err: error, task: id }, 'A run of an agent ended without a result')
      const hint = error instanceof AppError ? (error.hint ?? null) : null
      end(id, { state: 'failed', facts: { error: { boundary: 'ours', message: messageOf(reason), hint } } })
    } finally {
      inbox.end()
    }
  }
  const lanes = createLanes<Inbox>({ lane: () => ({ name: 'agents', places: deps.maxActive() }), live: createInbox, perform: work, log })
  const once = createOnce((key) => {
    const row = store.byKey(key)
    return row && view(row)
  })
  const enqueue = (id: string, storeWaiting: () => void): Task => {
    lanes.add(id, storeWaiting)
    return view(store.require(id))
  }

  const requireLive = (id: string): { row: TaskRow; inbox: Inbox } => {
    const row = store.require(id)
    const inbox = lanes.live(id)
    if (!inbox) throw new AppError('task_not_running', isEnded(row.state) ? {} : { message: 'This run is waiting for a place.' })
    return { row, inbox }
  }
  const plan = (request: TaskRequest, triesChecks = false): Promise<TaskPlan> =>
    planOf(request, { ...deps, tasksFolder: paths.tasks }, triesChecks)
  /** Queues a paused run. `text` is for its agent. */
  const resume = async (id: string, text: string | null): Promise<Task> => {
    const require = () => {
      const row = store.require(id)
      if (row.state === 'paused') return row
      throw new AppError('task_not_paused', { message: `This run is not paused (${row.state}).` })
    }
    const reached = ledgerOf(require()).reached()
    if (reached !== null)
      throw new AppError('task_refused', { message: reached, hint: 'Its change can be reviewed and handed back. Stop it, or start a new run with a higher limit.' }) // prettier-ignore
    await readLeft(id)
    const row = require()
    return enqueue(id, () =>
      tx(() => {
        note(row, text ?? 'It goes on.', text === null ? 'state' : 'you')
        const added = [row.facts.added, text].filter(Boolean).join('\n\n') || null
        change(id, { state: 'queued', endedAt: null, facts: { added, detail: null, error: null } })
      }),
    )
  }
  const sendToAgent = (id: string, input: AgentInput): Task => {
    const { row, inbox } = requireLive(id)
    inbox.put(input)
    return view(row)
  }

  return {
    plan,
    get: (id: string): Task => view(store.require(id)),
    list(filter: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list(filter)
      return { items: items.map(view), ...page }
    },
    /** Ended runs of an agent with a model, newest first. */
    endedLike: (...like: Parameters<typeof store.endedLike>): Task[] => store.endedLike(...like).map(view),
    events(id: string, { after, limit }: { after: number; limit: number }) {
      const row = store.require(id)
      return { items: store.events(row, after, limit), last: store.lastEvent(row) }
    },
    /** The last words of its agent, shortened; null: none. */
    lastMessage(id: string): string | null {
      const row = store.require(id)
      const events = store.events(row, Math.max(0, store.lastEvent(row) - LAST_EVENTS), LAST_EVENTS)
      return events.findLast(({ kind }) => kind === 'message')?.text ?? null
    },
    /** A repeated key returns the run of the first call. */
    create: ({ idempotencyKey: key, ...request }: TaskAsked & { idempotencyKey?: string | undefined }): Promise<Task> =>
      once(key, async () => {
        const { refusals, model, agent, redaction } = await plan(request)
        throwFirst('task_refused', refusals)
        const id = newTaskId()
        return enqueue(id, () =>
          tx(() => {
            store.insert({ id, title: runTitle(request, model), request: { ...request, redact: redaction.isOn }, key, at: now() })
            change(id, { facts: { model, agentVersion: agent.version } })
          }),
        )
      }),
    /** Queues a run that a restore ended, if it may still start. */
    async startAgain(id: string): Promise<Task> {
      const { refusals } = await plan(TaskAsked.parse(store.require(id).request)) // a stranger may have written it
      throwFirst('task_refused', refusals)
      return enqueue(id, () => change(id, { state: 'queued', endedAt: null, facts: { detail: null } }))
    },
    /** Whether a run will go on with the files that a sandbox left under this name. */
    isNeeded(leftAs: string): boolean {
      const id = idOfLeft(leftAs)
      const row = id === null ? null : store.get(id)
      return row !== null && row.facts.hasBegun && (!isEnded(row.state) || row.state === 'paused')
    },
    /** Interrupts the agent so that it can go on later. Resolves when all processes of the run have ended. */
    async pause(id: string): Promise<Task> {
      requireLive(id)
      await lanes.stop(id, new RunPaused(PAUSED))
      return view(store.require(id))
    },
    resume,
    /** Resolves when all processes of the run have ended. */
    async cancel(id: string): Promise<Task> {
      const row = store.require(id)
      if (row.state === 'paused') {
        await readLeft(id)
        end(id, { state: 'stopped', facts: {} })
      } else if (lanes.remove(id)) end(id, { state: 'stopped', facts: {} })
      else if (!(await lanes.stop(id, new Cancelled('The run was stopped.'))))
        throw new AppError('task_not_running', { message: `This run has ended (${row.state}).` })
      return view(store.require(id))
    },
    interrupt: (id: string): Task => sendToAgent(id, { type: 'interrupt' }),
    answer(id: string, { questionId, value, text }: { questionId: string; value: string; text?: string | undefined }): Task {
      const { row } = requireLive(id)
      if (row.facts.question?.id !== questionId) throw new AppError('question_gone')
      return sendToAgent(id, { type: 'answer', questionId, value, text: text ?? null })
    },
    /** Sends a message to a running agent, or to an ended one, which then continues. */
    message(id: string, text: string): Task | Promise<Task> {
      const row = store.require(id)
      if (row.state === 'paused') return resume(id, text)
      if (lanes.live(id)) {
        const task = sendToAgent(id, { type: 'message', text })
        note(row, text, 'you')
        return task
      }
      if (!isEnded(row.state)) throw new AppError('task_not_running', { message: 'This run is waiting for a place.', hint: 'Send the message again when the run is active.' }) // prettier-ignore
      if (!row.facts.canResume || row.request.harbor !== undefined)
        // its machine is gone
        throw new AppError('task_refused', {
          message: 'This run cannot be continued because it has no session.',
          hint: 'Start a new one with the same prompt.',
        })
      const reached = ledgerOf(row).reached()
      if (reached !== null) throw new AppError('task_refused', { message: reached, hint: 'Start a new run with a higher limit.' })
      return enqueue(id, () => {
        note(row, text, 'you')
        change(id, { state: 'queued', endedAt: null, facts: { next: text } })
      })
    },
    async remove(id: string, force: boolean): Promise<{ id: string }> {
      const row = store.require(id)
      if (!isEnded(row.state)) throw new AppError('task_running')
      await readLeft(id).catch(() => undefined) // its files are removed
      if (!force && (await handBack.whyItStays(id)) !== null) throw new AppError('task_not_handed_back')
      await handBack.forget(id)
      await fs.promises.rm(folderOf(id), { recursive: true, force: true })
      tx(() => {
        if (store.remove(id)) events.append('task:removed', { id })
      })
      if (row.facts.hasBegun) forgetLeft(id)
      return { id }
    },
    /** Null if the run has no result. */
    changeOf(id: string): TaskChange | null {
      const { kept } = store.require(id).facts
      return kept === null || kept.end === null ? null : { ...kept, end: kept.end, gitDir: path.join(folderOf(id), 'change.git') }
    },
    /** Records what was done with the change of an ended run. */
    setHandedBack(id: string, handedBack: TaskFacts['handedBack']): Task {
      const { state, facts } = store.require(id)
      if (!isEnded(state)) throw new AppError('task_running')
      if (facts.hasBegun) forgetLeft(id)
      return change(id, { state: stateOfEnded(state, handedBack), facts: { ...UNINTERRUPTED, handedBack } })
    },
    limitsChanged: lanes.pump,
    forgetTrace: (traceId: string): void => store.forgetTrace(traceId),
    /** Pauses runs whose agent was interrupted when the server ended; the others wait again. */
    start({ watch }: { watch: boolean }): void {
      const unended = store.inStates(ALL_STATES.filter((state) => !isEnded(state)))
      for (const { id, state } of unended) {
        if (state !== 'queued') interrupt(id, KILLED, true)
        if (watch && store.require(id).state === 'queued') lanes.add(id) // a server started by a single CLI command begins only its own run
      }
      lanes.open()
      if (watch) for (const { id, facts } of store.inStates(['paused'])) if (facts.isUnread) readLeftSoon(id)
    },
    async close(): Promise<void> {
      closing.abort()
      const ids = await lanes.close(new RunPaused(CLOSED))
      await Promise.allSettled(reading.values())
      const paused = ids.filter((id) => store.get(id)?.state === 'paused')
      if (paused.length > 0) log.info(`Paused: ${paused.join(', ')}. Resume such a run in the app, or with \`bashgym tasks resume ID\`.`)
    },
  }
}

/** For runs that were stored without what they were charged. */
const chargedBefore = ({ turns, tokens, costUsd }: TaskFacts) => ({
  requests: turns,
  input: tokens.input ?? 0,
  output: tokens.output ?? 0,
  usd: costUsd ?? 0,
  failures: 0,
})

/** Only a verified change is done once it is applied: applying a change verifies nothing. */
function stateOfEnded(state: TaskState, handedBack: TaskFacts['handedBack']): TaskState {
  if (state === 'paused') return 'unverified' // its agent cannot go on from files that were handed back
  if (state !== 'review' && state !== 'done') return state
  return handedBack === null ? 'review' : 'done'
}

const ALL_STATES: readonly TaskState[] = ['queued', 'preparing', 'working', 'needs_you', 'waiting', 'verifying', ...RESTING_STATES]
const isEnded = (state: TaskState): boolean => (RESTING_STATES as readonly TaskState[]).includes(state)
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const shortened = (text: string) => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text)

export type Agents = ReturnType<typeof createAgents>
