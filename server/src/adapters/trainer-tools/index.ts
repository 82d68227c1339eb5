/** Runs the trainers' other tools (merge, convert, answer and serve), each as a process that prints JSON lines. */
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ExportEvent, type ExportConfig } from '#contracts/trainer.ts'
import { howEnded } from '#server/process/run-to-end.ts'
import { type RunningProcess, startProcess } from '#server/process/start.ts'

/** How the trainers' Python is called. */
export interface Interpreter {
  program: string
  /** All environment variables of the process; it inherits no others. */
  env: Readonly<Record<string, string>>
}

export interface ToolCall {
  interpreter: Interpreter
  config: ExportConfig
  /** Existing folder for the config file and the log. */
  folder: string
  signal: AbortSignal
}

export type ToolProgress = Extract<ExportEvent, { type: 'progress' }>
export type Facts = Extract<ExportEvent, { type: 'done' }>['facts']

const LOG_TAIL = 400

/**
 * Runs a tool to its end. If `signal` fires, kills it with its descendants and rejects with the signal's reason; its
 * unfinished files have temporary names. Otherwise rejects with `export_unavailable` or `disk_full`.
 */
export async function runTool(call: ToolCall, onProgress: (progress: ToolProgress) => void): Promise<Facts> {
  let outcome = null as ExportEvent | null // the cast is needed because a callback sets it
  const { ended } = await start(call, call.signal, (line) => {
    const event = eventOf(line)
    if (event.type === 'progress') onProgress(event)
    else outcome = event
  })
  const reason = await ended
  call.signal.throwIfAborted()
  return factsOf(outcome, reason)
}

/** A running `serve` process. */
export interface ServedModel {
  port: number
  loadMs: number
  pid: number
  /** Number of layers on the GPU, and its name; null if all are on the CPU. */
  gpuLayers: number
  gpu: string | null
  /** Special tokens that are removed from texts unless a request names them. */
  marks: readonly string[]
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** Starts `serve` and resolves when it listens. The process ends with ours, because its input then closes. */
export async function serveModel(call: ToolCall): Promise<ServedModel> {
  const starting = new AbortController()
  const onAbort = () => starting.abort(call.signal.reason)
  call.signal.addEventListener('abort', onAbort, { once: true })
  if (call.signal.aborted) onAbort()
  const first = Promise.withResolvers<ExportEvent | null>()
  let isFirst = true
  try {
    const { tool, ended } = await start(call, starting.signal, (line) => {
      if (isFirst) first.resolve(eventOf(line))
      isFirst = false // later lines are read so that the pipe never fills
    })
    ended.then(() => first.resolve(null), first.reject)
    const event = await first.promise
    call.signal.throwIfAborted()
    if (event?.type !== 'ready') throw failure(event, await ended)
    return {
      port: event.port,
      loadMs: event.loadMs,
      gpuLayers: event.gpuLayers,
      gpu: event.gpu,
      marks: event.marks,
      pid: tool.pid,
      ended,
      async stop() {
        await tool.end()
      },
    }
  } catch (error) {
    starting.abort(error)
    throw error
  } finally {
    call.signal.removeEventListener('abort', onAbort)
  }
}

/** Resident memory of a process in bytes; null if the system does not report it. */
export function residentMemory(pid: number): number | null {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kb === undefined ? null : Number(kb) * 1024
  } catch {
    return null
  }
}

interface Tool {
  tool: RunningProcess
  /** Resolves with the reason when it has ended; rejects with an error of `onLine`. */
  ended: Promise<string>
}

async function start({ interpreter, config, folder }: ToolCall, signal: AbortSignal, onLine: (line: string) => void): Promise<Tool> {
  signal.throwIfAborted()
  const file = path.join(folder, `${config.command}.json`)
  const log = path.join(folder, `${config.command}.log`)
  fs.writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  fs.writeFileSync(log, '', { mode: 0o600 })
  try {
    const tool = await startProcess({
      command: interpreter.program,
      args: ['-m', 'bashgym_trainers', config.command, '--config', file],
      cwd: folder,
      env: interpreter.env,
      input: 'open', // the tool ends when it closes
      output: { onLine, errors: log },
      deadlineMs: null,
      graceMs: 0,
      signal,
    })
    const ended = tool.exit.then((exit) => (exit.signal === null ? (tailOf(log) ?? howEnded(exit)) : howEnded(exit)))
    ended.catch(() => undefined) // the caller may not wait for it
    return { tool, ended }
  } catch (error) {
    throw failure(null, (error as Error).message)
  }
}

function eventOf(line: string): ExportEvent {
  const parsed = ExportEvent.safeParse(JSON.parse(line))
  if (!parsed.success) throw new Error(`A tool of the trainers printed an unknown event: ${line.slice(0, 200)}`)
  return parsed.data
}

function factsOf(outcome: ExportEvent | null, reason: string): Facts {
  if (outcome?.type === 'done') return outcome.facts
  throw failure(outcome, reason)
}

function failure(outcome: ExportEvent | null, reason: string): AppError {
  if (outcome?.type !== 'failed') return new AppError('export_unavailable', { message: `The tool failed: ${reason}` })
  if (outcome.code === 'disk_full')
    return new AppError('disk_full', { message: `${outcome.message} Nothing was stored. Free some space, then try again.` })
  return new AppError('export_unavailable', { message: outcome.message, details: { code: outcome.code } })
}

/** Never throws: the folder may have been removed while the tool ran. */
function tailOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').trim().slice(-LOG_TAIL) || null
  } catch {
    return null
  }
}
