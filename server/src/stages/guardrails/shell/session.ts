import type { ReportedAct } from './acts.ts'
import type { Text } from './text.ts'
import type { Variables } from './variables.ts'

/** What a command of the shell may read and change. */
export interface Session {
  readonly variables: Variables
  readonly aliases: Map<string, string>
  /** Symbolic links that this command makes, to where they lead; both absolute. */
  readonly links: Map<string, string>
  positional: readonly Text[]
  /** The folder that commands run in; null if it is not known. */
  readonly folder: string | null
  /** False in what may not be run: a branch, a loop. */
  readonly isCertain: boolean
  reportAct(act: ReportedAct): void
  charge(characters: number): void
  hasFunction(name: string): boolean
  callFunction(name: string, args: readonly Text[], input: Text): Text
  /** Runs a text as shell code: in this shell, or with arguments of its own. */
  runText(text: Text, input: Text, positional?: readonly Text[]): Text
  /** What is run in `work` changes neither folder nor positional parameters. */
  apart<T>(work: () => T): T
  elevated<T>(work: () => T): T
  readFile(path: string): Text | null
  putFile(path: string, text: Text): void
}
