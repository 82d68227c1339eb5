import { AppError, type ErrorCode } from '#contracts/errors.ts'
import { startServer } from './app.ts'
import { type Flags, loadConfig } from './config.ts'

/** Time for an orderly shutdown after a signal. Then the process exits, which does not damage the database. */
const STOP_MS = 5000

/**
 * Runs the server until a signal. The first line on stdout is `{"ready":true,"url","tokenFile","pid"}`; messages go to
 * stderr. With `endWithStdin` it also stops when its parent process ends. Returns the exit code: 0 after a stop, 1 after
 * a failure, or the code in `codes` for the error.
 */
export async function serve(
  flags: Flags,
  {
    codes = {},
    endWithStdin = false,
    json = false,
  }: { codes?: Partial<Record<ErrorCode, number>>; endWithStdin?: boolean; json?: boolean } = {},
): Promise<number> {
  process.umask(0o077)
  const stop = endWithStdin ? Promise.race([nextSignal(), endOfStdin()]) : nextSignal()
  let server
  try {
    server = await startServer(loadConfig(flags), {
      logToStderr: true,
      onWait: ({ pid }) => void process.stderr.write(`Waiting for the command with process id ${pid} to end.\n`),
    })
  } catch (error) {
    const isExpected = error instanceof AppError && error.code !== 'internal'
    const { message, hint } = error as { message: string; hint?: string }
    if (json)
      process.stdout.write(`${JSON.stringify({ error: { code: isExpected ? error.code : 'internal', message, hint: hint ?? null } })}\n`)
    process.stderr.write(`${isExpected || !(error instanceof Error) ? message : (error.stack ?? message)}${hint ? ` ${hint}` : ''}\n`)
    return (error instanceof AppError && codes[error.code]) || 1
  }
  const { token: tokenFile } = server.app.core.paths
  process.stdout.write(`${JSON.stringify({ ready: true, url: server.url, tokenFile, pid: process.pid })}\n`)
  await stop
  setTimeout(() => process.exit(1), STOP_MS).unref()
  const wasFull = server.app.core.disk.isFull()
  await server.close()
  if (wasFull)
    process.stderr.write('The disk is full. Sessions that could not be stored are imported at the next start, when there is space.\n')
  return 0
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
}

function endOfStdin(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .once('close', resolve)
      .once('error', () => resolve())
      .resume()
  })
}
