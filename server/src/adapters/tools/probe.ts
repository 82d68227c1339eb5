import { howEnded, runToEnd } from '#server/process/run-to-end.ts'

const TIMEOUT_MS = 5000
const GRACE_MS = 800

export interface Tool {
  found: boolean
  version: string | null
  /** The first line of its output if it failed. */
  detail: string | null
}

/** Runs a command for at most 5 s and returns the first version number in its output. Never throws. */
export async function probeTool(command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Tool> {
  const absent = { found: false, version: null, detail: null }
  try {
    const result = await runToEnd({ command, args, cwd: '/', env, deadlineMs: TIMEOUT_MS, graceMs: GRACE_MS })
    const text = result.output.trim()
    if (result.code === 0) return { found: true, version: /\d{1,9}\.\d{1,9}(?:\.\d{1,9})?/.exec(text)?.[0] ?? null, detail: null }
    return { ...absent, detail: text.split('\n')[0]?.slice(0, 200) || howEnded(result) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'EACCES' ? absent : { ...absent, detail: message }
  }
}
