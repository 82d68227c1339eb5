import type { Origin } from './text.ts'

/** A range of the judged command, in UTF-16 units, end exclusive. */
export interface Span {
  start: number
  end: number
}

/** Where and as whom an act would happen. */
interface Place {
  /** Null if it is not known. */
  folder: string | null
  /** Under `sudo` or its like. */
  isElevated: boolean
  /** Null: no part of the command alone. */
  span: Span | null
}

/** A command with the words that it would get. */
export interface CommandAct extends Place {
  kind: 'command'
  /** Without its folder; empty if it is not known. */
  name: string
  args: readonly string[]
  /** Where the arguments come from, one for each. */
  origins: readonly Origin[]
}

/** Something that a command would do, as far as rules look at it. */
export type Act =
  | CommandAct
  | (Place & { kind: 'write'; path: string })
  /** Code that cannot be read here reaches a shell or an interpreter. */
  | (Place & { kind: 'script'; origin: Origin })
  | (Place & { kind: 'bomb' })
  | (Place & { kind: 'unreadable'; why: string })

type Without<A> = A extends Act ? Omit<A, keyof Place> : never
/** An act of a command; its place and user are added later. */
export type ReportedAct = Without<Act>
