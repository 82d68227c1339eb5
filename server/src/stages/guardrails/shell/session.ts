import type { ReportedAction } from './actions.ts'
import type { Text } from './text.ts'
import type { Variables } from './variables.ts'

/** What a command of the shell may read and change. */
export interface Session {
  readonly variables: Variables
  readonly aliases: Map<string, string>
  /** Symbolic links that this command creates, with their targets; both absolute. */
  readonly links: Map<string, string>
  positional: readonly Text[]
  /** The folder that commands run in; null if unknown. */
  readonly folder: string | null
  /** False in code that may not run, such as a branch or a loop. */
  readonly isCertain: boolean
  reportAction(act: ReportedAction): void
  charge(characters: number): void
  hasFunction(name: string): boolean
  callFunction(name: string, args: readonly Text[], input: Text): Text
  /** Follows a text as shell code; `positional` replaces `$1`, `$2` and so on. */
  runText(text: Text, input: Text, positional?: readonly Text[]): Text
  /** Runs `work`, then restores folder and positional parameters. */
  inSubshell<T>(work: () => T): T
  asElevated<T>(work: () => T): T
  readFile(path: string): Text | null
  recordFile(path: string, text: Text): void
}
