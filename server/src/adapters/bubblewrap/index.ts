import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runToEnd } from '#server/process/run-to-end.ts'
import { findGroups } from './groups.ts'
import { inheritedDescriptors, type Means, NotRun, type Outcome, type Program, run } from './run.ts'

export { NotRun, type Outcome, type Program } from './run.ts'

/** How strong the isolation is; shown by `doctor`. */
export interface Isolation {
  engine: 'bubblewrap'
  version: string
  /** Memory is bounded over all processes (control group), or for each of at most 64 by itself. */
  memory: 'together' | 'each'
}

/** Runs programs that nobody has read, in the profile `strict`: no network, no files of the host but /usr, limits on everything. */
export interface Sandbox {
  isolation: Isolation
  /** Resolves when the program and all that it started are gone. Throws `NotRun` where it was not run. */
  run(program: Program, signal?: AbortSignal): Promise<Outcome>
}

export const SANDBOX_INSTALL = 'apt-get install bubblewrap (dnf, pacman and zypper have it under the same name)'

const BWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** Finds bwrap and proves by a test run that its isolation holds here. Throws `NotRun` with what is missing. */
export async function openSandbox(): Promise<Sandbox> {
  const unavailable = (why: string) => new NotRun('isolation_unavailable', why)
  if (process.platform !== 'linux') throw unavailable('Programs can be run in isolation on Linux only.')
  const bwrap = BWRAP.find((file) => fs.existsSync(file))
  if (bwrap === undefined) throw unavailable(`bubblewrap is not installed: ${SANDBOX_INSTALL}.`)
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))
  if (prlimit === undefined) throw unavailable('prlimit (of util-linux) is missing in /usr/bin.')
  const { stdout } = await runToEnd({ command: bwrap, args: ['--version'], cwd: '/', env: {}, deadlineMs: 5000, graceMs: 0 }).catch(
    (error: Error) => {
      throw unavailable(`bwrap could not be started: ${error.message}.`)
    },
  )
  const means: Means = { bwrap, prlimit, groups: findGroups(), inherited: inheritedDescriptors() }
  const outcome = await run(means, { files: { 'probe.sh': PROBE }, argv: ['/bin/sh', 'probe.sh'], timeoutMs: 10_000, memoryMb: 64 })
  const holes =
    outcome.exitCode === 0 ? outcome.stdout.trim() : `the test ended with ${outcome.exitCode ?? outcome.signal}: ${outcome.stderr.trim()}`
  if (holes !== '') throw unavailable(`The isolation of bubblewrap does not hold on this system: ${holes.replaceAll('\n', ', ')}.`)
  return {
    isolation: { engine: 'bubblewrap', version: /\d[\d.]*/.exec(stdout)?.[0] ?? 'unknown', memory: means.groups ? 'together' : 'each' },
    run: (program, signal) => run(means, program, signal),
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

/** The argument vector of a child process that answers SandboxRequest lines with SandboxResponse lines; null where there is no bwrap. */
export const sandboxWorkerArgv = (): string[] | null =>
  process.platform === 'linux' && BWRAP.some((file) => fs.existsSync(file))
    ? [process.execPath, fileURLToPath(new URL('./sandbox-worker.ts', import.meta.url))]
    : null
