/** Finds what bubblewrap needs on this machine, and tests whether its isolation works. */
import fs from 'node:fs'
import { runToEnd } from '#server/process/run-to-end.ts'
import { NotRun, type Outcome } from '../sandbox/types.ts'
import { findGroups } from './groups.ts'
import type { BubblewrapTools } from './launch.ts'
import { endOrphans } from './orphans.ts'

const INSTALL = 'apt-get install bubblewrap (dnf, pacman and zypper have it under the same name)'

/** Its path; null if it is not installed. */
export const findBubblewrap = (): string | null =>
  process.platform === 'linux' ? (BWRAP.find((file) => fs.existsSync(file)) ?? null) : null

const BWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** Throws `NotRun` if something is missing. */
export async function findTools(): Promise<{ tools: BubblewrapTools; version: string }> {
  const unavailable = (why: string) => new NotRun('isolation_unavailable', why)
  if (process.platform !== 'linux') throw unavailable('Programs can be run in isolation on Linux only.')
  const bwrap = findBubblewrap()
  if (bwrap === null) throw unavailable(`bubblewrap is not installed: ${INSTALL}.`)
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => fs.existsSync(file))
  if (prlimit === undefined) throw unavailable('prlimit (of util-linux) is missing in /usr/bin.')
  const { stdout } = await runToEnd({ command: bwrap, args: ['--version'], cwd: '/', env: {}, deadlineMs: 5000, graceMs: 0 }).catch(
    (error: Error) => {
      throw unavailable(`Couldn't start bwrap: ${error.message}.`)
    },
  )
  endOrphans(bwrap)
  const tools = { bwrap, prlimit, groups: findGroups() }
  return { tools, version: /\d[\d.]*/.exec(stdout)?.[0] ?? 'unknown' }
}

/** The failures that the probe script printed; null if the isolation works. */
export function isolationFailure({
  exitCode,
  signal,
  stdout,
  stderr,
}: Pick<Outcome, 'exitCode' | 'signal' | 'stdout' | 'stderr'>): string | null {
  const holes = exitCode === 0 ? stdout.trim() : `the test ended with ${exitCode ?? signal}: ${stderr.trim()}`
  return holes === '' ? null : holes.replaceAll('\n', ', ')
}

/**
 * A shell script that tries to escape in a few ways and prints a line for each that works. It starts no other programs.
 * `hidden`: paths that must not be visible; `unwritable`: folders that must not be writable.
 */
export const probeScript = ({
  uid,
  hidden,
  unwritable,
}: {
  uid: number
  hidden: readonly string[]
  unwritable: readonly string[]
}): string => `
while read -r key value; do
  case "$key" in
    CapEff:|CapBnd:) [ "$value" = 0000000000000000 ] || echo "programs have capabilities ($key $value)" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "programs can gain privileges" ;;
    Seccomp:) [ "$value" = 2 ] || echo "there is no system-call filter" ;;
    Uid:) [ "\${value%%[!0-9]*}" = ${uid} ] || echo "the user is $value" ;;
  esac
done </proc/self/status
while read -r name _; do
  case "$name" in *:) [ "$name" = lo: ] || echo "there is a network ($name)" ;; esac
done </proc/net/dev
for place in /home/* ${hidden.join(' ')}; do
  [ -e "$place" ] && [ "$place" != /home/user ] && echo "$place can be seen"
done
for place in ${unwritable.join(' ')}; do
  (: >"$place/.probe") 2>/dev/null && echo "$place can be written"
done
for setting in kernel/hostname kernel/shmmax net/ipv4/ip_forward; do
  [ -w "/proc/sys/$setting" ] && echo "/proc/sys/$setting can be written"
done
[ "$(ulimit -c)" = 0 ] || echo "limits are not set"
for process in /proc/[0-9]*; do [ "\${process#/proc/}" -gt 20 ] && echo "processes of the host can be seen"; done
exit 0
`
