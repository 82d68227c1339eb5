import { expect, it } from 'vitest'
import { withTimeLimit } from '#server/workers/time-limit.ts'
import { mentionsErrexit, withoutExitLine } from './bash-notices.ts'

it.each([
  ['empty lines', `${'\n'.repeat(500_000)}kill -9 $$`],
  ['lines of a space', `set -e; ${' \n'.repeat(250_000)}false`],
  ['words', 'exec set - '.repeat(100_000)],
])('reads a long command in time linear in its length: %s', (_, command) => {
  withTimeLimit(1000, () => expect([withoutExitLine('a\n', command, true), mentionsErrexit(command)]).toHaveLength(2))
})
