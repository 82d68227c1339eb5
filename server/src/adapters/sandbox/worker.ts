import os from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { SandboxRequest, type SandboxResponse } from '#contracts/trainer.ts'
import { NotRun, openSandboxes, runAlone, type SandboxEngine } from './index.ts'

/** Longer lines are skipped and answered with an error. */
const LINE_BYTES = 16 * 1024 * 1024

const NO_OUTCOME = { exitCode: null, signal: null, timedOut: false, stdout: '', stderr: '', ms: 0 }
const failure = (id: string | null, code: string, message: string): SandboxResponse => ({ id, ...NO_OUTCOME, error: { code, message } })

/**
 * Answers requests to run programs, one JSON line each, until `input` ends. As many run at once as there are cores, and each
 * answer is sent when it is ready. If isolation is not available, every answer is an error and nothing is run.
 */
export async function serveSandbox(input: Readable, output: Writable, concurrency = os.availableParallelism()): Promise<void> {
  const abort = new AbortController()
  output.on('error', () => abort.abort()) // the reader has ended
  const engine = openSandboxes().catch((error: unknown) => error as Error)
  const running = new Set<Promise<void>>()
  const answer = (response: SandboxResponse) => void (abort.signal.aborted || output.write(`${JSON.stringify(response)}\n`))
  for await (const line of lines(input, abort.signal)) {
    if (line === null) {
      answer(failure(null, 'invalid_request', `A line was longer than ${LINE_BYTES / 1024 / 1024} MB.`))
      continue
    }
    if (line.trim() === '') continue
    if (running.size >= concurrency) await Promise.race(running)
    const work = handle(await engine, line, abort.signal).then(answer)
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  await Promise.all(running)
}

async function handle(engine: SandboxEngine | Error, line: string, signal: AbortSignal): Promise<SandboxResponse> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return failure(null, 'invalid_request', `The line is not valid JSON: ${(error as Error).message}.`)
  }
  const request = SandboxRequest.safeParse(value)
  if (!request.success) {
    const { id } = (value ?? {}) as { id?: unknown }
    const issue = request.error.issues[0]
    return failure(
      typeof id === 'string' ? id.slice(0, 100) : null,
      'invalid_request',
      `${issue?.path.join('.') || 'The request'}: ${issue?.message}`,
    )
  }
  const { id, ...program } = request.data
  if (engine instanceof Error) return failure(id, 'isolation_unavailable', engine.message)
  try {
    const { exitCode, signal: killedBy, timedOut, stdout, stderr, ms } = await runAlone(engine, program, signal)
    return { id, exitCode, signal: killedBy, timedOut, stdout, stderr, ms: Math.round(ms * 10) / 10, error: null }
  } catch (error) {
    return failure(id, error instanceof NotRun ? error.code : 'internal', (error as Error).message)
  }
}

/** The lines of a stream; null for a line that is too long. Stops when `signal` fires. */
async function* lines(input: Readable, signal: AbortSignal): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let size = 0
  const takeLine = () => {
    const line = size > LINE_BYTES ? null : Buffer.concat(parts).toString('utf8')
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      if (signal.aborted) return
      const at = chunk.indexOf(10, from)
      const part = chunk.subarray(from, at < 0 ? chunk.length : at)
      size += part.length
      if (size <= LINE_BYTES) parts.push(part)
      else parts = []
      if (at < 0) break
      yield takeLine()
      from = at + 1
    }
  }
  if (size > 0) yield takeLine()
}
