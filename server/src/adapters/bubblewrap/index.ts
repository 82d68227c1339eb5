import { NotRun, type Sandbox, type SandboxEngine, type SandboxPolicy } from '../sandbox/types.ts'
import { strictPolicy } from '../sandbox/strict.ts'
import { badName, badReadable } from './arguments.ts'
import type { Means } from './launch.ts'
import { findMeans, holesIn, probe } from './probe.ts'
import { run } from './run.ts'

export { findBubblewrap } from './probe.ts'
export { openBubblewrapMachines } from './machines.ts'

const PLACES = { uid: 1000, hidden: ['/root', '/etc/shadow', '/sys', '/var/lib', '/boot'], closed: ['/', '/usr', '/etc', '/dev', '/proc'] }

/** Finds bwrap and proves by a test run that its isolation holds here. Throws `NotRun` with what is missing. */
export async function openBubblewrap(): Promise<SandboxEngine> {
  const { means, version } = await findMeans()
  const sandbox = startSandbox(means, strictPolicy(64), { 'probe.sh': probe(PLACES) })
  const outcome = await sandbox.run({ argv: ['/bin/sh', 'probe.sh'], timeoutMs: 10_000 }).finally(() => sandbox.end())
  const holes = holesIn(outcome)
  if (holes !== null) throw new NotRun('isolation_unavailable', `The isolation of bubblewrap does not hold on this system: ${holes}.`)
  return {
    isolation: { engine: 'bubblewrap', version, memory: means.groups ? 'together' : 'each' },
    start: async (policy, files) => startSandbox(means, policy, files),
  }
}

function startSandbox(means: Means, policy: SandboxPolicy, files: Readonly<Record<string, string>>): Sandbox {
  const problem = badName(Object.keys(files)) ?? policy.readable.map(badReadable).find((one) => one !== null) ?? null
  if (problem !== null) throw new NotRun('invalid_request', problem)
  const group = means.groups?.(policy.limits) ?? null
  const ending = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    async run(program, signal) {
      const stop = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
      const outcome = run(means, { policy, files, group }, program, stop)
      running.add(outcome)
      return outcome.finally(() => running.delete(outcome))
    },
    async end() {
      ending.abort(new NotRun('invalid_request', 'The sandbox has been ended.'))
      await Promise.allSettled(running)
      await group?.remove()
    },
  }
}
