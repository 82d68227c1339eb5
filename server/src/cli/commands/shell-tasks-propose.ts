import type { ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { given } from '#contracts/given.ts'
import { type Context, oneArgument, textOf } from '../command.ts'
import { formatNumber } from '../format.ts'

/** What tasks a session allows; with `--save` they are stored as they are. */
export async function propose(context: Context): Promise<void> {
  const traceId = oneArgument(context, 'The trace id')
  const { client } = await context.connect()
  const found = await client.proposeShellTasks({ body: { traceId } })
  if (context.values['save'] !== true) return context.out(found, () => describe(found))
  const split = textOf(context.values, 'split')
  const saved: string[] = []
  for (const { steps, isStored, id, task, setup, check, difficulty, referenceSolution } of found.proposals) {
    if (isStored) continue
    const body = { task, setup, check, difficulty, referenceSolution, ...given({ split }) }
    await client.createShellTask({ body: { ...body, source: 'session', extra: { traceId, steps: steps.map((step) => step.id) } } })
    saved.push(id)
  }
  context.out({ ...found, saved }, () => `${describe(found)}\n\nStored: ${saved.length === 0 ? 'none that is new' : saved.join(', ')}.`)
}

function describe({ calls, proposals, leftOut }: ShellTaskProposals): string {
  return [
    `${formatNumber(proposals.length)} shell tasks of ${formatNumber(calls)} shell commands. Edit and validate them before they are used.`,
    ...proposals.map(({ id, isStored, task, setup, check, referenceSolution, notes }) =>
      [
        `\n${id}${isStored ? ', stored already' : ''}`,
        task,
        ...setup.map((command) => `set-up: ${command}`),
        `check: ${check}`,
        `solution: ${referenceSolution}`,
        ...notes.map((note) => `note: ${note}`),
      ].join('\n'),
    ),
    ...(leftOut.length === 0 ? [] : ['\nNo task was made of']),
    ...leftOut.map(({ reason, steps }) => `${formatNumber(steps.length)} commands: ${reason}`),
  ].join('\n')
}
