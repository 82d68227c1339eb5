import { runToEnd } from './run-to-end.ts'

const DEADLINE_MS = 10_000

/** What a program prints, without the last line end; null if it cannot be started or fails, or belongs to one of the `foreign` folders. */
export async function outputOf(
  command: string,
  args: readonly string[],
  { env, foreign }: { env: Record<string, string>; foreign: readonly string[] },
): Promise<string | null> {
  const finished = await runToEnd({ command, args, cwd: '/', env, foreign, deadlineMs: DEADLINE_MS, graceMs: 500 }).catch(() => null)
  return finished?.code === 0 ? finished.stdout.trim() : null
}
