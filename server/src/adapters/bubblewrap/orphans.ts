import { kinOf, processes } from '#server/process/marks.ts'
import { isGated } from './arguments.ts'

/**
 * Ends what is left of starts whose owner was killed. bwrap's second process waits on an event descriptor that both of its
 * processes hold open: if the first one dies before it writes there (nobody reads its status), the second waits for ever.
 */
export function endOrphans(bwrap: string): void {
  const gated = () => new Set([...processes()].filter(({ argv }) => argv[0] === bwrap && isGated(argv)).map(({ pid }) => pid))
  const found = gated()
  if (found.size === 0) return
  const parents = gated() // listed later: whoever started a process that was found is in it while it lives
  for (const pid of found) {
    const kin = kinOf(pid)
    if (kin === null || kin.group === pid || parents.has(kin.parent)) continue // gone, a first process, or one whose parent lives
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it has ended, or belongs to another user
  }
}
