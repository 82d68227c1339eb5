import { readCommand } from './shell/read-command.ts'

/** What the user says of a command ("not a test run") is kept under its words after wrappers came off. */
export const keyOf = (words: readonly string[]): string => words.join(' ')

/** The keys of the simple commands in a shell text, in its order. */
export const commandKey = (command: string): string[] => readCommand(command).commands.map(({ bare }) => keyOf(bare.words))
