import { runToEnd } from './run-to-end.ts'

const DEADLINE_MS = 10_000

/** What a program prints, without the last line end; null if it cannot be started or fails. */
export async function outputOf(command: string, args: readonly string[], env: Record<string, string>): Promise<string | null> {
  const finished = await runToEnd({ command, args, cwd: '/', env, deadlineMs: DEADLINE_MS, graceMs: 500 }).catch(() => null)
  return finished?.code === 0 ? finished.stdout.trim() : null
}
