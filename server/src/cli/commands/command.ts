import type { CommandOverride } from '#contracts/entities/command-override.ts'
import { actionOf, type Command, textOf, UsageError } from '../command.ts'
import { table } from '../format.ts'

const ACTIONS = ['list', 'test', 'not-a-test', 'remove'] as const
const WORDS = { test: 'a test command', not_a_run: 'not a test command' } as const

/** Overrides whether scoring counts a command as a test. */
export const commandCommand: Command = {
  name: 'command',
  usage: 'command list | test COMMAND [--project DIR] | not-a-test COMMAND [--project DIR] | remove ID',
  summary: "mark a command as a test command or not; the project's sessions are rescored",
  help: () => '--project is the project folder (default: everywhere). COMMAND is one argument, without sudo, npx and the like.',
  options: { project: { type: 'string' } },
  async run(context) {
    const [action, target, ...rest] = actionOf(context, 'command', ACTIONS)
    if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}". Put the command in quotes.`)
    const { client } = await context.connect()
    if (action === 'list') {
      const { items } = await client.listCommandOverrides({})
      return context.out({ items }, () =>
        items.length === 0
          ? 'No commands are marked.'
          : table([
              ['id', 'project', 'command', 'marked as'],
              ...items.map((one) => [one.id, one.project || 'all', one.words, WORDS[one.verdict]]),
            ]),
      )
    }
    if (target === undefined)
      throw new UsageError(
        action === 'remove' ? 'The id is missing. Run `bashgym command list` to see the ids.' : 'The command is missing.',
      )
    const finish = (override: CommandOverride, text: string) => context.out(override, () => text)
    if (action === 'remove') {
      const removed = await client.removeCommandOverride({ params: { id: target }, query: {} })
      return finish(removed, `${removed.words} is no longer marked.`)
    }
    const verdict = action === 'test' ? 'test' : 'not_a_run'
    const set = await client.setCommandOverride({ body: { project: textOf(context.values, 'project') ?? '', words: target, verdict } })
    return finish(set, `Marked ${set.words} as ${WORDS[verdict]} in ${set.project || 'every project'} (${set.id}).`)
  },
}
