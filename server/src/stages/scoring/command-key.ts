import { readCommand } from './shell/read-command.ts'

/** The user's marks on commands ("not a test command") are stored by the words without wrappers. */
export const keyOfWords = (words: readonly string[]): string => words.join(' ')

/** The keys of the simple commands in a shell text, in order. */
export const commandKeys = (command: string): string[] => readCommand(command).commands.map(({ bare }) => keyOfWords(bare.words))
