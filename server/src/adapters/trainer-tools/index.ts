/** The trainers' other tools: merge, convert, answer and serve. One process each, which answers with JSON lines. */
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { ExportEvent, type ExportConfig } from '#contracts/trainer.ts'
import { howEnded } from '#server/process/run-to-end.ts'
import { type RunningProcess, startProcess } from '#server/process/start.ts'

/** How the trainers' Python is called. */
export interface Interpreter {
  program: string
  /** Whole environment of the process: nothing else is inherited. */
  env: Readonly<Record<string, string>>
}

export interface ToolCall {
  interpreter: Interpreter
  config: ExportConfig
  /** Folder for the config file and the log; it exists. */
  folder: string
  signal: AbortSignal
}

export type ToolProgress = Extract<ExportEvent, { type: 'progress' }>
export type Facts = Extract<ExportEvent, { type: 'done' }>['facts']

const LOG_TAIL = 400

/**
 * Runs a tool to its end. Rejects with the reason of `signal` when it fires (the process and what it started are then
 * killed: they write only what nobody has a name for yet), else with `export_unavailable` or `disk_full`.
 */
export async function runTool(call: ToolCall, onProgress: (progress: ToolProgress) => void): Promise<Facts> {
  let outcome = null as ExportEvent | null // typed so because a callback sets it
  const { ended } = await start(call, call.signal, (line) => {
    const event = eventOf(line)
    if (event.type === 'progress') onProgress(event)
    else outcome = event
  })
  const reason = await ended
  call.signal.throwIfAborted()
  return factsOf(outcome, reason)
}

/** A running `serve`: its port, its process, and how it is ended. */
export interface ServedModel {
  port: number
  loadMs: number
  pid: number
  /** Layers that a GPU holds, and its name; null: the processor holds all. */
  gpuLayers: number
  gpu: string | null
  /** Tokens of its vocabulary that are left out of a text unless they are named. */
  marks: readonly string[]
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** Starts `serve` and resolves when it listens. The process ends with ours: it holds the other end of a pipe. */
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
      isFirst = false // what follows is read on, so that the pipe never fills
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

/** Resident memory of a process in bytes; null if the system does not say. */
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
  /** Resolves with the reason when it has ended; rejects with what `onLine` threw. */
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
  if (!parsed.success) throw new Error(`A tool of the trainers wrote what the contract does not know: ${line.slice(0, 200)}`)
  return parsed.data
}

function factsOf(outcome: ExportEvent | null, reason: string): Facts {
  if (outcome?.type === 'done') return outcome.facts
  throw failure(outcome, reason)
}

function failure(outcome: ExportEvent | null, reason: string): AppError {
  if (outcome?.type !== 'failed') return new AppError('export_unavailable', { message: `The tool broke off: ${reason}` })
  if (outcome.code === 'disk_full')
    return new AppError('disk_full', { message: `${outcome.message} Nothing was kept. Free up space and try again.` })
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
