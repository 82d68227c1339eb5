import { runToEnd } from '#server/process/run-to-end.ts'
import type { AgentCli, AgentPlaces } from './index.ts'
import { OFFLINE } from './offline.ts'

const TIMEOUT_MS = 30_000
const GRACE_MS = 800
const LONGEST = 20_000

/** What `claude plugin validate` says about a folder; it reads the plugin and runs nothing of it. A text says why it could not be asked. */
export async function validatePlugin(
  client: AgentCli,
  { path: searched, userHome }: Pick<AgentPlaces, 'path' | 'userHome'>,
  claudeDir: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ passed: boolean; text: string } | string> {
  const program = client.program()
  if (typeof program === 'string') return program
  const [command = '', ...before] = program.argv
  const result = await runToEnd({
    command,
    args: [...before, 'plugin', 'validate', folder],
    cwd: '/',
    env: { HOME: userHome, PATH: searched, CLAUDE_CONFIG_DIR: claudeDir, ...OFFLINE },
    deadlineMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
    signal,
  }).catch(() => null)
  if (result === null) return 'Claude Code could not be started.'
  if (result.endedBy === 'deadline') return 'Claude Code took too long.'
  return { passed: result.code === 0, text: result.output.slice(0, LONGEST) }
}
