import fs from 'node:fs'
import path from 'node:path'
import type { CheckReport } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import { givenValues } from '#server/adapters/harbor/environment-values.ts'
import type { HarborTask } from '#server/adapters/harbor/read.ts'
import { rewardOf } from '#server/adapters/harbor/reward.ts'
import { packFolder } from '../../checks/pack.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'

/** What an agent may have left in these places is none of the tests, and no reward. */
const CLEAR =
  '[ -L /logs ] && rm -f /logs; rm -rf /tests /logs/verifier && mkdir -p /tests /logs/verifier /logs/agent /logs/artifacts && chmod 777 /logs/verifier'
const MOST_REWARD = 1024 * 1024
const MOST_OUTPUT = 4 * 1024 * 1024
const TAIL_CHARACTERS = 4000
/** Of a task whose every test passed. */
const WHOLE = 1

interface Checked {
  task: HarborTask
  /** A machine with the files that the agent left, in which nothing of it runs. */
  id: string
  workdir: string
  isolation: string
  signal: AbortSignal
}

/** Copies the tests in, runs them, and reads the reward that they gave. */
export async function verifyHarbor(sandboxes: Sandboxes, { task, id, workdir, isolation, signal }: Checked): Promise<CheckReport> {
  const began = performance.now()
  await clear(sandboxes, id)
  const tests = path.join(task.folder, 'tests')
  if (fs.existsSync(tests)) {
    const packing = packFolder(tests, '', signal)
    await sandboxes.unpack(id, '/tests', packing.tar)
    await packing.done
  }
  const script = path.posix.join('/tests', path.basename(task.check))
  const content = fs.readFileSync(path.join(task.folder, task.check)).toString('base64')
  await sandboxes.write(id, { path: script, content, encoding: 'base64', mode: 0o755 })
  const { exitCode, output, timedOut } = await sandboxes.exec(
    id,
    {
      command: script,
      session: 'main',
      standalone: true,
      wait: true,
      cwd: workdir,
      env: { TEST_DIR: '/tests', ...givenValues(task.checkEnv).env },
      timeoutSec: task.limits.verifierSec,
      maxOutputBytes: MOST_OUTPUT,
    },
    signal,
  )
  signal.throwIfAborted()
  const verdict = timedOut
    ? error(`The tests did not end within ${task.limits.verifierSec} s and were stopped.`)
    : task.format === 'harbor'
      ? verdictOf(
          rewardOf({
            text: await textOf(sandboxes, id, '/logs/verifier/reward.txt'),
            json: await textOf(sandboxes, id, '/logs/verifier/reward.json'),
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

const NO_TESTS = { runner: 'harbor', passed: null, failed: null, skipped: null, total: null, tests: [], others: [], restored: null, changedChecks: [] } satisfies Partial<CheckReport> // prettier-ignore

type Verdict = Pick<CheckReport, 'status' | 'reason' | 'reward'>
const error = (reason: string): Verdict => ({ status: 'error', reason, reward: null })

function verdictOf(read: ReturnType<typeof rewardOf>): Verdict {
  if ('reason' in read) return error(read.reason)
  return { status: read.reward >= WHOLE ? 'passed' : 'failed', reason: null, reward: read.reward }
}

async function clear(sandboxes: Sandboxes, id: string): Promise<void> {
  const { input, output, errors, exit } = await sandboxes.spawn(id, { argv: ['/bin/sh', '-c', CLEAR], terminal: null, cwd: '/' })
  input.end()
  output.resume()
  errors?.resume()
  const { code } = await exit
  if (code !== 0) throw new AppError('engine_failed', { message: 'The places for the tests of the task could not be cleared.' })
}

/** Null: there is no such file; what is too large is no reward. */
async function textOf(sandboxes: Sandboxes, id: string, file: string): Promise<string | null> {
  const stream = await sandboxes.read(id, file).catch((failure: unknown) => {
    if (failure instanceof AppError && failure.code === 'path_refused') return null
    throw failure
  })
  if (stream === null) return null
  let text = ''
  for await (const part of stream) {
    text += (part as Buffer).toString('utf8')
    if (text.length > MOST_REWARD) return ''
  }
  return text
}
