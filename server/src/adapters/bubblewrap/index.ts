import fs from 'node:fs'
import { runToEnd } from '#server/process/run-to-end.ts'
import { NotRun, type Sandbox, type SandboxEngine, type SandboxPolicy } from '../sandbox/types.ts'
import { strictPolicy } from '../sandbox/strict.ts'
import { badName, badReadable } from './arguments.ts'
import { findGroups } from './groups.ts'
import { inheritedDescriptors, type Means } from './launch.ts'
import { run } from './run.ts'

const INSTALL = 'apt-get install bubblewrap (dnf, pacman and zypper have it under the same name)'

/** Where it is on this machine; null where it is not. */
export const findBubblewrap = (): string | null =>
  process.platform === 'linux' ? (BWRAP.find((file) => fs.existsSync(file)) ?? null) : null

const BWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** Finds bwrap and proves by a test run that its isolation holds here. Throws `NotRun` with what is missing. */
export async function openBubblewrap(): Promise<SandboxEngine> {
  const unavailable = (why: string) => new NotRun('isolation_unavailable', why)
  if (process.platform !== 'linux') throw unavailable('Programs can be run in isolation on Linux only.')
  const bwrap = findBubblewrap()
  if (bwrap === null) throw unavailable(`bubblewrap is not installed: ${INSTALL}.`)
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))
  if (prlimit === undefined) throw unavailable('prlimit (of util-linux) is missing in /usr/bin.')
  const { stdout } = await runToEnd({ command: bwrap, args: ['--version'], cwd: '/', env: {}, deadlineMs: 5000, graceMs: 0 }).catch(
    (error: Error) => {
      throw unavailable(`bwrap could not be started: ${error.message}.`)
    },
  )
  const means: Means = { bwrap, prlimit, groups: findGroups(), inherited: inheritedDescriptors() }
  const sandbox = startSandbox(means, strictPolicy(64), { 'probe.sh': PROBE })
  const outcome = await sandbox.run({ argv: ['/bin/sh', 'probe.sh'], timeoutMs: 10_000 }).finally(() => sandbox.end())
  const holes =
    outcome.exitCode === 0 ? outcome.stdout.trim() : `the test ended with ${outcome.exitCode ?? outcome.signal}: ${outcome.stderr.trim()}`
  if (holes !== '') throw unavailable(`The isolation of bubblewrap does not hold on this system: ${holes.replaceAll('\n', ', ')}.`)
  return {
    isolation: { engine: 'bubblewrap', version: /\d[\d.]*/.exec(stdout)?.[0] ?? 'unknown', memory: means.groups ? 'together' : 'each' },
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

/** Tries to get out, in a few ways that cost no process; prints a line for each that succeeds. */
const PROBE = `
while read -r key value; do
  case "$key" in
    CapEff:|CapBnd:) [ "$value" = 0000000000000000 ] || echo "privileges are left ($key $value)" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "new privileges can be had" ;;
    Seccomp:) [ "$value" = 2 ] || echo "there is no system-call filter" ;;
    Uid:) [ "\${value%%[!0-9]*}" = 1000 ] || echo "the user is $value" ;;
  esac
done </proc/self/status
while read -r name _; do
  case "$name" in *:) [ "$name" = lo: ] || echo "there is a network ($name)" ;; esac
done </proc/net/dev
for place in /root /home/* /etc/shadow /sys /var/lib /boot; do
  [ -e "$place" ] && [ "$place" != /home/user ] && echo "$place can be seen"
done
for place in / /usr /etc /dev; do
  (: >"$place/.probe") 2>/dev/null && echo "$place can be written"
done
[ "$(ulimit -c)" = 0 ] || echo "limits are not set"
for process in /proc/[0-9]*; do [ "\${process#/proc/}" -gt 20 ] && echo "processes of the host can be seen"; done
exit 0
`
