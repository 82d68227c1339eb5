/** A run whose agent is interrupted keeps its machine's files and its conversation, and goes on with both. */

/** Interrupts an active run so that it can go on later. `message` says why. */
export class RunPaused extends Error {}

export const isPaused = ({ reason }: AbortSignal): boolean => reason instanceof RunPaused

/** The name under which the files of a run's machine stay. */
export const leftNameOf = (id: string): string => `run-${id}`
export const idOfLeft = (name: string): string | null => (name.startsWith('run-') ? name.slice(4) : null)

interface Interruptible {
  request: { prompt: string }
  facts: { next: string | null; added: string | null; hasConversation: boolean }
}

const GO_ON =
  'You were interrupted, because the program that runs you was closed or ended. Your files are as you left them; a command that was running has ended, perhaps halfway. Check that, then continue where you stopped.'

/** The message that an active run begins or continues with. */
export function promptOf({ facts, request }: Interruptible): string {
  const { next, added, hasConversation } = facts
  const first = hasConversation ? GO_ON : (next ?? request.prompt)
  return added === null ? first : `${first}\n\n${added}`
}

/** Facts of a run that was not interrupted. */
export const UNINTERRUPTED = {
  hasBegun: false,
  isUnread: false,
  hasConversation: false,
  added: null,
  agentEnd: null,
} as const
