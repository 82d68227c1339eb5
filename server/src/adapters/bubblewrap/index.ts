import { NotRun, type Sandbox, type SandboxEngine, type SandboxPolicy } from '../sandbox/types.ts'
import { strictPolicy } from '../sandbox/strict.ts'
import { nameProblem, readableProblem } from './arguments.ts'
import type { BubblewrapTools } from './launch.ts'
import { findTools, isolationFailure, probeScript } from './probe.ts'
import { run } from './run.ts'

export { findBubblewrap } from './probe.ts'
export { openBubblewrapMachines } from './machines.ts'

const PROBED_PLACES = {
  uid: 1000,
  hidden: ['/root', '/etc/shadow', '/sys', '/var/lib', '/boot'],
  unwritable: ['/', '/usr', '/etc', '/dev', '/proc'],
}

/** Finds bwrap and tests its isolation. Throws `NotRun` if something is missing or the isolation does not work. */
export async function openBubblewrap(): Promise<SandboxEngine> {
  const { tools, version } = await findTools()
  const sandbox = startSandbox(tools, strictPolicy(64), { 'probe.sh': probeScript(PROBED_PLACES) })
  const outcome = await sandbox.run({ argv: ['/bin/sh', 'probe.sh'], timeoutMs: 10_000 }).finally(() => sandbox.end())
  const failure = isolationFailure(outcome)
  if (failure !== null) throw new NotRun('isolation_unavailable', `The isolation of bubblewrap does not work on this system: ${failure}.`)
  return {
    isolation: { engine: 'bubblewrap', version, memory: tools.groups ? 'together' : 'each' },
    start: async (policy, files) => startSandbox(tools, policy, files),
  }
}

function startSandbox(tools: BubblewrapTools, policy: SandboxPolicy, files: Readonly<Record<string, string>>): Sandbox {
  const problem = nameProblem(Object.keys(files)) ?? policy.readable.map(readableProblem).find((one) => one !== null) ?? null
  if (problem !== null) throw new NotRun('invalid_request', problem)
  const group = tools.groups?.(policy.limits) ?? null
  const ending = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    async run(program, signal) {
      const stop = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal
      const outcome = run(tools, { policy, files, group }, program, stop)
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
