/** What bubblewrap needs on this machine, and whether its isolation holds here. */
import fs from 'node:fs'
import { runToEnd } from '#server/process/run-to-end.ts'
import { NotRun, type Outcome } from '../sandbox/types.ts'
import { findGroups } from './groups.ts'
import { inheritedDescriptors, type Means } from './launch.ts'
import { endOrphans } from './orphans.ts'

const INSTALL = 'apt-get install bubblewrap (dnf, pacman and zypper have it under the same name)'

/** Where it is on this machine; null if it is not. */
export const findBubblewrap = (): string | null =>
  process.platform === 'linux' ? (BWRAP.find((file) => fs.existsSync(file)) ?? null) : null

const BWRAP = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** Throws `NotRun` with what is missing. */
export async function findMeans(): Promise<{ means: Means; version: string }> {
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
  endOrphans(bwrap)
  const means = { bwrap, prlimit, groups: findGroups(), inherited: inheritedDescriptors() }
  return { means, version: /\d[\d.]*/.exec(stdout)?.[0] ?? 'unknown' }
}

/** What a probe found; null if the isolation holds. */
export function holesIn({ exitCode, signal, stdout, stderr }: Pick<Outcome, 'exitCode' | 'signal' | 'stdout' | 'stderr'>): string | null {
  const holes = exitCode === 0 ? stdout.trim() : `the test ended with ${exitCode ?? signal}: ${stderr.trim()}`
  return holes === '' ? null : holes.replaceAll('\n', ', ')
}

/**
 * A program for sh that tries to get out, in a few ways that cost no process, and prints a line for each that succeeds.
 * `hidden`: places that must not be seen; `closed`: folders that must not be written.
 */
export const probe = ({ uid, hidden, closed }: { uid: number; hidden: readonly string[]; closed: readonly string[] }): string => `
while read -r key value; do
  case "$key" in
    CapEff:|CapBnd:) [ "$value" = 0000000000000000 ] || echo "privileges are left ($key $value)" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "new privileges can be had" ;;
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
for place in ${closed.join(' ')}; do
  (: >"$place/.probe") 2>/dev/null && echo "$place can be written"
done
for setting in kernel/hostname kernel/shmmax net/ipv4/ip_forward; do
  [ -w "/proc/sys/$setting" ] && echo "/proc/sys/$setting can be written"
done
[ "$(ulimit -c)" = 0 ] || echo "limits are not set"
for process in /proc/[0-9]*; do [ "\${process#/proc/}" -gt 20 ] && echo "processes of the host can be seen"; done
exit 0
`
