import { expect, it } from 'vitest'
import { TerminalEnvironment } from './environment.ts'
import type { EnvironmentSandbox } from './sandbox.ts'
import type { Action } from './wire.ts'

const CONFIG = {
  form: 'command' as const,
  reward: 'fraction' as const,
  backend: 'auto' as const,
  image: 'host',
  maxTurns: null,
  deadlines: { commandSec: 45, stepSec: 55, messageSec: 60, checkSec: 120 },
  allowTaskKeys: [],
  showChecks: false,
  outputBytes: 8192,
  tasks: null,
}
const hangs = () => new Promise<never>(() => {})

it.each<Action>([
  { type: 'read_file', path: '/a' },
  { type: 'write_file', path: '/a', content: 'x' },
])('ends the episode if $type takes longer than the step may', async (action) => {
  let ends = 0
  // the parts of a sandbox that this test reaches
  const sandbox = { id: 's', backend: 'bubblewrap', read: hangs, write: hangs, end: () => Promise.resolve(void (ends += 1)) }
  const environment = new TerminalEnvironment(CONFIG, () => Promise.resolve(sandbox as unknown as EnvironmentSandbox))
  const stop = new AbortController().signal
  expect(await environment.reset({ task: 'Do it' }, stop)).toMatchObject({ done: false })
  expect(await environment.step(action, stop, 0.01)).toMatchObject({
    observation: { path: '/a', content: null, error: { error_type: 'timeout' } },
    reward: null,
    done: true,
  })
  expect([ends, environment.facts.done]).toEqual([1, true])
})
