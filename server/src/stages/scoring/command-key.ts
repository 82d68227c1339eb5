import { readCommand } from './shell/read-command.ts'

/** Marks of the user ("not a test command") are stored by the words of the command without wrappers. */
export const keyOf = (words: readonly string[]): string => words.join(' ')

/** The keys of the simple commands in a shell text, in order. */
export const commandKey = (command: string): string[] => readCommand(command).commands.map(({ bare }) => keyOf(bare.words))
