import { kinOf, processes } from '#server/process/marks.ts'
import { isGated } from './arguments.ts'

/**
 * Kills bwrap processes whose owner was killed during a start. bwrap's second process waits for an event from the first on
 * a descriptor that both have open: if the first is killed before it sends the event, the second waits forever.
 */
export function endOrphans(bwrap: string): void {
  const gated = () => new Set([...processes()].filter(({ argv }) => argv[0] === bwrap && isGated(argv)).map(({ pid }) => pid))
  const found = gated()
  if (found.size === 0) return
  const parents = gated() // listed afterwards, so that it has the parent of every found process if that parent is alive
  for (const pid of found) {
    const kin = kinOf(pid)
    if (kin === null || kin.group === pid || parents.has(kin.parent)) continue // ended, a first process, or its parent is alive
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it has ended, or belongs to another user
  }
}
