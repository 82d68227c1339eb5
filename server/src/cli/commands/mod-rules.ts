import path from 'node:path'
import type { GymRules } from '#contracts/entities/router.ts'
import { type Context, textOf, UsageError } from '../command.ts'

/** Shows the rules with which the gym agent could run a project's tests in place; writes them, or takes them back. */
export async function modRules(context: Context): Promise<number> {
  const { values } = context
  const [writes, removes] = [values['write'] === true, values['remove'] === true]
  if (writes && removes) throw new UsageError('Give --write or --remove, not both.')
  const directory = path.resolve(textOf(values, 'project') ?? '.')
  const { client } = await context.connect()
  const rules =
    writes || removes
      ? await client.setGymRules({ body: { directory, written: writes } })
      : await client.showGymRules({ body: { directory } })
  context.out(rules, () => (removes ? `${rules.file} has none of our rules.` : describe(rules)))
  return 0
}

const describe = ({ file, rules, written, diff }: GymRules): string =>
  [
    ...(rules.length === 0 ? ['No test command of this project was found.'] : []),
    ...rules.map(({ rule, because, refused }) => (refused === null ? `${rule}: from ${because}` : `not ${rule}: ${refused}`)),
    ...(written ? [`They are in ${file}. \`bashgym mod rules --remove\` takes them back.`] : []),
    ...(written || diff === '' ? [] : ['They are not written. `--write` changes this:', diff.trimEnd(), FILES_OF_THE_AGENT]),
  ].join('\n')

const FILES_OF_THE_AGENT =
  'What these commands run is in files that the agent can change. In a sandbox (`bashgym mod install --work sandbox`) it needs no rule.'
