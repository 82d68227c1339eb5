import { kinOf, processes } from '#server/process/marks.ts'
import { isGated } from './arguments.ts'

/**
 * Ends what is left of starts whose owner was killed. bwrap's second process waits for a word of the first through an event
 * descriptor that both hold: if the first dies before (its status has no reader any more), no word and no end ever comes.
 */
export function endOrphans(bwrap: string): void {
  const ours = new Set([...processes()].filter(({ argv }) => argv[0] === bwrap && isGated(argv)).map(({ pid }) => pid))
  for (const pid of ours) {
    const kin = kinOf(pid)
    if (kin === null || kin.group === pid || ours.has(kin.parent)) continue // gone, a first process, or one whose parent lives
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it was faster, or it is another user's
  }
}
