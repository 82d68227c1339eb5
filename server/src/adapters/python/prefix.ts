import path from 'node:path'
import { runToEnd } from '#server/process/run-to-end.ts'

const DEADLINE_MS = 10_000

/** The installation folder of an interpreter, even if it belongs to a virtual environment; null if it does not work. */
export async function pythonPrefix(python: string, env: Record<string, string>): Promise<string | null> {
  const args = ['-I', '-c', 'import sys; print(sys.base_prefix)']
  const finished = await runToEnd({ command: python, args, cwd: '/', env, deadlineMs: DEADLINE_MS, graceMs: 500 }).catch(() => null)
  const folder = finished?.code === 0 ? finished.stdout.trim() : ''
  return path.isAbsolute(folder) ? folder : null
}
