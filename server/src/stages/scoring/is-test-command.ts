import { createCommandFacts } from './command-facts.ts'

const read = createCommandFacts()

/** Whether a shell command runs tests with a known tool. */
export const isTestCommand = (text: string): boolean =>
  read(text).commands.some(({ recognised }) => recognised?.kind === 'test' && !recognised.guessed)
