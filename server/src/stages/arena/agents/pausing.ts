/** A run whose agent is interrupted keeps its machine's files and its conversation, and goes on with both. */
import fs from 'node:fs'
import path from 'node:path'
import type { TaskFacts, TaskRow } from './store.ts'

/** Interrupts an active run so that it can go on later. `message` says why. */
export class RunPaused extends Error {}

export const isPaused = ({ reason }: AbortSignal): boolean => reason instanceof RunPaused

/** The name under which the files of a run's machine stay. */
export const leftNameOf = (id: string): string => `run-${id}`
export const idOfLeft = (name: string): string | null => (name.startsWith('run-') ? name.slice(4) : null)

/** What an agent needs to continue its conversation: at its end (`resume`), and while it works (`resume.now`). */
const RESUME = 'resume'
const NOW = 'resume.now'

export const readResume = (folder: string): string | null => readOr(path.join(folder, RESUME))
export const writeResume = (folder: string, resume: string): void => replace(path.join(folder, RESUME), resume)
export const readNow = (folder: string): string | null => readOr(path.join(folder, NOW))
export const writeNow = (folder: string, resume: string): void => replace(path.join(folder, NOW), resume)
export const forgetNow = (folder: string): void => fs.rmSync(path.join(folder, NOW), { force: true })

function readOr(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** A killed server leaves the old content or the new one. */
function replace(file: string, content: string): void {
  fs.writeFileSync(`${file}.part`, content, { mode: 0o600 })
  fs.renameSync(`${file}.part`, file)
}

const GO_ON =
  'You were interrupted, because the program that runs you was closed or ended. Your files are as you left them; a command that was running has ended, perhaps halfway. Check that, then continue where you stopped.'

/** The message that an active run begins or continues with. */
export function promptOf({ facts, request }: Pick<TaskRow, 'facts' | 'request'>): string {
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
} as const satisfies Partial<TaskFacts>
