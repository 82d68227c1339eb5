import path from 'node:path'
import type { CheckReport } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import { withDefaults } from '#server/adapters/harbor/environment-values.ts'
import type { HarborTask } from '#server/adapters/harbor/read.ts'
import { rewardOf } from '#server/adapters/harbor/reward.ts'
import { inForeign } from '#server/foreign/index.ts'
import { copyFolder, NOT_COMPARED } from '#server/stages/checks/index.ts'
import { readText, type Sandboxes } from '#server/stages/sandboxes/index.ts'

/** Removes files of the agent from the folders of the tests and the reward. */
const CLEAR_COMMAND =
  '[ -L /logs ] && rm -f /logs; rm -rf /tests /logs/verifier && mkdir -p /tests /logs/verifier /logs/agent /logs/artifacts && chmod 777 /logs/verifier'
const MAX_SCRIPT = 4 * 1024 * 1024
const MAX_REWARD = 1024 * 1024
const MAX_OUTPUT = 4 * 1024 * 1024
const TAIL_CHARACTERS = 4000
/** The reward when every test passed. */
const FULL_REWARD = 1

interface VerifyRequest {
  task: HarborTask
  /** A machine with the files that the agent left, in which none of its programs run. */
  id: string
  workdir: string
  isolation: string
  signal: AbortSignal
}

/** Copies the tests into the machine, runs them, and reads their reward. */
export async function verifyHarbor(sandboxes: Sandboxes, { task, id, workdir, isolation, signal }: VerifyRequest): Promise<CheckReport> {
  const began = performance.now()
  await clear(sandboxes, id)
  const { hasTests, text } = await inForeign(task.folder, async (folder) => ({
    hasTests: (await folder.find('tests')) !== null,
    text: await folder.read(task.check, MAX_SCRIPT),
  }))
  if (hasTests) await copyFolder(path.join(task.folder, 'tests'), '', (tar) => sandboxes.unpack(id, '/tests', tar), signal)
  const script = path.posix.join('/tests', path.basename(task.check))
  await sandboxes.write(id, { path: script, content: text.toString('base64'), encoding: 'base64', mode: 0o755 })
  const { exitCode, output, timedOut } = await sandboxes.exec(
    id,
    {
      command: script,
      session: 'main',
      standalone: true,
      wait: true,
      cwd: workdir,
      env: { TEST_DIR: '/tests', ...withDefaults(task.checkEnv).env },
      timeoutSec: task.limits.verifierSec,
      maxOutputBytes: MAX_OUTPUT,
    },
    signal,
  )
  signal.throwIfAborted()
  const rewardIn = (file: string) => readText(sandboxes, id, file, { mostBytes: MAX_REWARD, ifLarger: '' }) // a larger file is no reward
  const verdict = timedOut
    ? error(`The tests did not end within ${task.limits.verifierSec} s and were stopped.`)
    : task.format === 'harbor'
      ? verdictOf(
          rewardOf({
            text: await rewardIn('/logs/verifier/reward.txt'),
            json: await rewardIn('/logs/verifier/reward.json'),
          }),
        )
      : ({ status: exitCode === 0 ? 'passed' : 'failed', reason: null, reward: null } as const) // terminal-bench 1 has no reward
  return {
    ...NO_TESTS,
    ...verdict,
    command: task.check,
    exitCode,
    outputTail: output.slice(-TAIL_CHARACTERS),
    isolation,
    durationMs: performance.now() - began,
  }
}

const NO_TESTS = { ...NOT_COMPARED, runner: 'harbor', passed: null, failed: null, skipped: null, total: null, tests: [], parts: [], others: [], restored: null, changedChecks: [] } satisfies Partial<CheckReport> // prettier-ignore

type Verdict = Pick<CheckReport, 'status' | 'reason' | 'reward'>
const error = (reason: string): Verdict => ({ status: 'error', reason, reward: null })

function verdictOf(read: ReturnType<typeof rewardOf>): Verdict {
  if ('reason' in read) return error(read.reason)
  return { status: read.reward >= FULL_REWARD ? 'passed' : 'failed', reason: null, reward: read.reward }
}

async function clear(sandboxes: Sandboxes, id: string): Promise<void> {
  const { input, output, errors, exit } = await sandboxes.spawn(id, { argv: ['/bin/sh', '-c', CLEAR_COMMAND], terminal: null, cwd: '/' })
  input.end()
  output.resume()
  errors?.resume()
  const { code } = await exit
  if (code !== 0) throw new AppError('engine_failed', { message: 'The folders for the tests of the task could not be cleared.' })
}
