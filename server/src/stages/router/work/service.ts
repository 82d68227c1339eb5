import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { clientSettingsIn } from '#contracts/client-files.ts'
import type { ModAnswer, ModStep } from '#contracts/entities/router.ts'
import { RESTING_STATES, type Task, TaskAsked } from '#contracts/entities/task.ts'
import type { Core } from '#server/core.ts'
import { createChanges } from '#server/runs/changes.ts'
import { placeBelow } from '#server/within.ts'
import { type AgentRuns, NoAnswer } from '../../agents/index.ts'
import { promptsIn } from '../../factory/index.ts'
import type { ChosenStudent } from '../student.ts'
import { type Patch, reportOf } from './report.ts'

export interface SandboxWorkDeps {
  runs: AgentRuns
  patchOf: (taskId: string, signal: AbortSignal) => AsyncIterable<Uint8Array>
  /** How long one step may take. */
  waitMs?: number | undefined
}

/** As in place, where an agent ends before rows of training would be split. */
const CAPS = { turns: 60, timeSec: 3600, tokens: null, costUsd: null }
/** A longer patch is a file. */
const SHOWN_BYTES = 24_000
/** Longer lines of a patch name no file. */
const MAX_NAME = 10_000
/** Below the ten minutes after which the client takes an agent without a step for a dead one (measured with 2.1.329). */
const WAIT_MS = 8 * 60_000
const NOTHING_SENT = { input: 0, output: 0, cacheRead: null, cacheWrite: null }

/** A call that the client runs without a check in every mode, and that finds nothing: after it the client asks again. */
const STILL_WORKING: ModAnswer = {
  text: '',
  calls: [{ name: 'Glob', input: { pattern: 'bashgym-is-still-working-in-its-sandbox' } }],
  usage: NOTHING_SENT,
  failed: false,
}

/** Lets the gym agent do a whole task in a sandbox, on a copy of the user's folder, and reports its change. */
export function createSandboxWork({ events, paths }: Pick<Core, 'events' | 'paths'>, { runs, patchOf, waitMs = WAIT_MS }: SandboxWorkDeps) {
  const changes = createChanges()
  const unsubscribe = events.subscribe(({ type, payload }) => {
    if (type === 'task:status') changes.notify(payload.task.id)
  })

  const begun = async (student: ChosenStudent, step: ModStep): Promise<Task> => {
    const [prompt] = promptsIn({ clientVersion: step.version, task: step.task, messages: step.messages })
    if (prompt === undefined) throw new NoAnswer('it was given no task.')
    const { directory } = step
    if (directory === null) throw new NoAnswer('the folder of the session is not known. Install the mod again.')
    const { endpoint, model } = student
    const task = await runs.create({
      ...TaskAsked.parse({ prompt, directory, agent: 'gym', endpoint, model, caps: CAPS }),
      idempotencyKey: `gym-agent:${step.agentId}`, // the client may send a step twice
    })
    const more = promptsSince(step)
    return more.length > 0 && isResting(task) ? runs.message(task.id, more.join('\n\n')) : task
  }
  /** The run once it has ended; null if it works on after this step must be answered. */
  const ended = async (id: string, signal: AbortSignal): Promise<Task | null> => {
    for (const until = performance.now() + waitMs; ;) {
      const task = runs.get(id)
      if (isResting(task)) return task
      const left = until - performance.now()
      if (left <= 0) return null
      await changes.next(id, { signal, waitMs: Math.ceil(left) })
      signal.throwIfAborted()
    }
  }
  const patchIn = async ({ id, change }: Task, signal: AbortSignal): Promise<Patch | null> => {
    if (change === null || change.files === 0) return null
    // in a file from the start: a change may be larger than the memory
    const file = path.join(placeBelow(paths.tasks, id), 'change.patch')
    const settings = new Set<string>()
    const part = `${file}.${randomUUID()}` // a step that was sent twice writes its own
    let line = ''
    const looked = async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const bytes of parts) {
        const lines = (line + Buffer.from(bytes).toString('latin1')).split('\n')
        line = (lines.pop() ?? '').slice(0, MAX_NAME)
        for (const one of clientSettingsIn(lines.join('\n'))) settings.add(one)
        yield bytes
      }
    }
    try {
      await pipeline(patchOf(id, signal), looked, fs.createWriteStream(part, { mode: 0o600 }))
      const { size: bytes } = await fs.promises.stat(part)
      if (bytes <= SHOWN_BYTES) return { text: await fs.promises.readFile(part, 'utf8'), settings: [...settings] }
      await fs.promises.rename(part, file)
      return { file, bytes, settings: [...settings] }
    } finally {
      await fs.promises.rm(part, { force: true })
    }
  }

  return {
    /** Resolves when the run has ended. If the client goes away, the run is paused: its change stays, and it can go on in the app. */
    async work(student: ChosenStudent, step: ModStep, signal: AbortSignal): Promise<ModAnswer> {
      const { id } = await begun(student, step)
      try {
        const task = await ended(id, signal)
        if (task === null) return STILL_WORKING
        const patch = await patchIn(task, signal)
        const lastMessage = runs.lastMessage(id)
        const text = reportOf({ task, label: student.label, directory: step.directory ?? '', lastMessage, patch })
        const failed = task.error !== null && patch === null
        return { text, calls: [], usage: { ...NOTHING_SENT, input: task.tokens.input ?? 0, output: task.tokens.output ?? 0 }, failed }
      } catch (error) {
        if (signal.aborted) await runs.pause(id).catch(() => runs.cancel(id).catch(() => undefined)) // one that waits cannot be paused
        throw error
      }
    },
    close: unsubscribe,
  }
}

/** What the agent was asked after its last answer, in the same conversation. */
function promptsSince({ version: clientVersion, messages }: ModStep): string[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return last === -1 ? [] : promptsIn({ clientVersion, task: null, messages: messages.slice(last + 1) })
}

const isResting = ({ state }: Pick<Task, 'state'>): boolean => (RESTING_STATES as readonly Task['state'][]).includes(state)
