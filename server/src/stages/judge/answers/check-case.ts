import type { CaseCheck } from '#contracts/entities/answer.ts'
import { openSandboxes, type Outcome, runAlone } from '#server/adapters/sandbox/index.ts'
import type { Core } from '#server/core.ts'
import type { Checked } from './check-answer.job.ts'

const CHECK_JOB = new URL('./check-answer.job.ts', import.meta.url)
const COMMAND = { timeoutMs: 30_000, memoryMb: 1024 }

/** Decides a case by its check. A check that could not be run decides nothing. */
export async function checkCase(
  check: CaseCheck | null,
  answer: string,
  { workers, signal }: { workers: Core['workers']; signal: AbortSignal },
): Promise<Checked> {
  if (check === null) return { verdict: 'not_scored', why: 'This case has no check.' }
  if (check.kind !== 'command') return workers.run<Checked>(CHECK_JOB, { check, answer }, { lane: 'query', signal })
  try {
    const engine = await openSandboxes()
    const outcome = await runAlone(
      engine,
      { files: { 'answer.txt': answer, 'check.sh': check.value }, argv: ['/bin/sh', 'check.sh'], ...COMMAND },
      signal,
    )
    return commandVerdict(outcome)
  } catch (error) {
    signal.throwIfAborted()
    return { verdict: 'not_scored', why: `Not verified: ${(error as Error).message}` }
  }
}

function commandVerdict({ exitCode, timedOut, outOfMemory, stdout, stderr }: Outcome): Checked {
  const output = `${stdout}${stderr}`.trim().slice(-300)
  if (timedOut) return { verdict: 'failed', why: `The command took longer than ${COMMAND.timeoutMs / 1000} seconds.` }
  if (outOfMemory) return { verdict: 'failed', why: 'The command used up its memory.' }
  const how = exitCode === null ? 'The command was stopped' : `Exit code ${exitCode}`
  return { verdict: exitCode === 0 ? 'passed' : 'failed', why: output === '' ? `${how}.` : `${how}: ${output}` }
}
