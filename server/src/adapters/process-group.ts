import type { ChildProcess } from 'node:child_process'

/**
 * Ends what a child started when the child ends, however it ended. The child must lead a group of its own
 * (`detached`). At that moment its number cannot be another's yet.
 */
export function endGroupWithChild(child: ChildProcess): void {
  child.once('exit', () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // nothing of it is left
    }
  })
}
