import { lookup } from '#contracts/lookup.ts'
import type { Step } from '#contracts/entities/step.ts'

/** How a call ended, in one word that never depends on colour. */
export type CallState = 'ok' | 'failed' | 'rejected' | 'unanswered' | 'unknown'

export function stateOf(step: Pick<Step, 'success' | 'rejected' | 'answered'>): CallState {
  if (step.rejected) return 'rejected'
  if (!step.answered) return 'unanswered'
  if (step.success === true) return 'ok'
  if (step.success === false) return 'failed'
  return 'unknown'
}

const REJECTED_BY = { user: 'rejected by you', rule: 'rejected by a rule', interrupt: 'interrupted' } as const

/** "exit 1", "ok", "rejected by you", "no answer recorded". `live`: the call may still be running. */
export function stateText(step: Pick<Step, 'success' | 'rejected' | 'rejectedBy' | 'answered' | 'exitCode'>, live: boolean): string {
  const state = stateOf(step)
  if (state === 'rejected') return step.rejectedBy ? REJECTED_BY[step.rejectedBy] : 'rejected'
  if (state === 'unanswered') return live ? 'running' : 'no answer recorded'
  if (step.exitCode !== null) return `exit ${step.exitCode}`
  if (state === 'ok') return 'ok'
  return state === 'failed' ? 'failed' : 'outcome unknown'
}

/** Which card draws the call. */
export type CardKind = 'shell' | 'edit' | 'read' | 'search' | 'agent' | 'other'

const KINDS: Record<string, CardKind> = lookup({
  bash: 'shell',
  shell: 'shell',
  powershell: 'shell',
  run_shell_command: 'shell',
  exec_command: 'shell',
  edit: 'edit',
  multiedit: 'edit',
  write: 'edit',
  notebookedit: 'edit',
  read: 'read',
  grep: 'search',
  glob: 'search',
  websearch: 'search',
  agent: 'agent',
  task: 'agent',
})

/** By the tool's name; an unknown tool that has a command is a shell. */
export function cardKind(step: Pick<Step, 'tool' | 'command'>): CardKind {
  return KINDS[step.tool.toLowerCase()] ?? (step.command === null ? 'other' : 'shell')
}

/** The one line of a call: its command, file, pattern or task, else its first text argument. */
export function headline(step: Pick<Step, 'tool' | 'command' | 'file' | 'input'>): string {
  if (step.command !== null) return step.command
  if (step.file !== null) return step.file
  for (const name of ['description', 'pattern', 'query', 'url', 'path', 'prompt', 'subject']) {
    const value = field(step.input, name)
    if (typeof value === 'string' && value !== '') return value
  }
  return ''
}

/** "lines 20–60", of a Read with offset and limit; null if the whole file was read. */
export function readRange(input: unknown): string | null {
  const offset = field(input, 'offset')
  const limit = field(input, 'limit')
  const from = typeof offset === 'number' ? offset : 1
  if (typeof limit === 'number') return `lines ${from}–${from + limit - 1}`
  return typeof offset === 'number' ? `from line ${from}` : null
}

export function field(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[name] : undefined // checked before
}

/** All text of a call, for the search. */
export function stepText(step: Step): string {
  return [
    step.tool,
    step.command ?? '',
    step.file ?? '',
    step.output ?? '',
    step.command === null ? JSON.stringify(step.input ?? '') : '',
  ].join('\n')
}
