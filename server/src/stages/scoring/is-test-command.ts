import { createCommandFacts } from './command-facts.ts'

const read = createCommandFacts()

/** Whether a shell text runs tests by a tool that is known by name. */
export const runsTests = (text: string): boolean =>
  read(text).commands.some(({ recognised }) => recognised?.kind === 'test' && !recognised.guessed)
