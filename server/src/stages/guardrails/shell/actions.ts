import type { Origin } from './text.ts'

/** A range of the checked command, in UTF-16 units, end exclusive. */
export interface Span {
  start: number
  end: number
}

/** Where and as which user an action would happen. */
interface ActionContext {
  /** Null if unknown. */
  folder: string | null
  /** Run by `sudo`, `doas` or a similar program. */
  isElevated: boolean
  /** Null if no single part of the command is responsible. */
  span: Span | null
}

export interface CommandAction extends ActionContext {
  kind: 'command'
  /** Without its folder; empty if unknown. */
  name: string
  args: readonly string[]
  /** The origin of each argument. */
  origins: readonly Origin[]
}

/** Something that a command would do and that a rule looks at. */
export type Action =
  | CommandAction
  | (ActionContext & { kind: 'write'; path: string })
  /** Code that cannot be read here reaches a shell or an interpreter. */
  | (ActionContext & { kind: 'script'; origin: Origin })
  | (ActionContext & { kind: 'bomb' })
  | (ActionContext & { kind: 'unreadable'; why: string })

type Without<A> = A extends Action ? Omit<A, keyof ActionContext> : never
/** An action without its context, which the walk adds. */
export type ReportedAction = Without<Action>
