/** The tools of the trainers beside training: they merge, convert, answer and serve. One process each, JSON lines back. */
import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { AppError } from '#contracts/errors.ts'
import { ExportEvent, type ExportConfig } from '#contracts/trainer.ts'
import { endGroupWithChild } from '../process-group.ts'

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
  call.signal.throwIfAborted()
  const { child, events, ended } = start(call)
  const kill = () => killGroup(child)
  call.signal.addEventListener('abort', kill, { once: true })
  try {
    let outcome: ExportEvent | null = null
    for await (const event of events) {
      if (event.type === 'progress') onProgress(event)
      else outcome = event
    }
    const said = await ended
    call.signal.throwIfAborted()
    if (outcome?.type === 'done') return outcome.facts
    throw failure(outcome, said)
  } catch (error) {
    kill()
    throw error
  } finally {
    call.signal.removeEventListener('abort', kill)
  }
}

/** A running `serve`: its port, its process, and how it is ended. */
export interface ServedModel {
  port: number
  loadMs: number
  pid: number
  /** Resolves with the reason when the process has ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** Starts `serve` and resolves when it listens. The process ends with ours: it holds the other end of a pipe. */
export async function serveModel(call: ToolCall): Promise<ServedModel> {
  call.signal.throwIfAborted()
  const { child, events, ended } = start(call)
  const kill = () => killGroup(child)
  call.signal.addEventListener('abort', kill, { once: true })
  try {
    const first = await firstOf(events)
    call.signal.throwIfAborted()
    if (first?.type !== 'ready') throw failure(first, await ended)
    return {
      port: first.port,
      loadMs: first.loadMs,
      pid: child.pid!,
      ended,
      async stop() {
        kill()
        await ended
      },
    }
  } catch (error) {
    kill()
    throw error
  } finally {
    call.signal.removeEventListener('abort', kill)
  }
}

/** Resident memory of a process in bytes; null where the system does not say. */
export function residentMemory(pid: number): number | null {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kb === undefined ? null : Number(kb) * 1024
  } catch {
    return null
  }
}

function start({ interpreter, config, folder }: ToolCall) {
  const file = path.join(folder, `${config.command}.json`)
  const log = path.join(folder, `${config.command}.log`)
  fs.writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  const errors = fs.openSync(log, 'w', 0o600)
  let child: ChildProcess
  try {
    child = spawn(interpreter.program, ['-m', 'bashgym_trainers', config.command, '--config', file], {
      cwd: folder,
      env: { ...interpreter.env },
      stdio: ['pipe', 'pipe', errors],
      detached: true, // a group of its own, so that what it starts ends with it
    })
  } finally {
    fs.closeSync(errors)
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ? `it was ended by ${signal}` : (tailOf(log) ?? `it ended with ${code}`)))
  })
  endGroupWithChild(child)
  child.stdin!.on('error', () => undefined) // it may be gone before we are
  return { child, events: linesOf(child), ended }
}

async function* linesOf(child: ChildProcess): AsyncGenerator<ExportEvent> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const parsed = ExportEvent.safeParse(JSON.parse(line))
    if (!parsed.success) throw new Error(`A tool of the trainers told what the contract does not know: ${line.slice(0, 200)}`)
    yield parsed.data
  }
}

/** The first event; what follows is read on, so that the pipe never fills. */
async function firstOf(events: AsyncGenerator<ExportEvent>): Promise<ExportEvent | null> {
  const { value, done } = await events.next()
  if (done) return null
  void (async () => {
    for await (const _ of events);
  })().catch(() => undefined) // its end is told by `ended`
  return value
}

function failure(outcome: ExportEvent | null, said: string): AppError {
  if (outcome?.type !== 'failed') return new AppError('export_unavailable', { message: `The tool broke off: ${said}` })
  if (outcome.code === 'disk_full')
    return new AppError('disk_full', { message: `${outcome.message} Nothing of it is kept: free some room, and try again.` })
  return new AppError('export_unavailable', { message: outcome.message, details: { code: outcome.code } })
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

/** Never throws: the folder may have been taken away beneath the tool. */
function tailOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').trim().slice(-LOG_TAIL) || null
  } catch {
    return null
  }
}
