import type { ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { given } from '#server/given.ts'
import { type Context, oneArgument, textOf } from '../command.ts'
import { formatNumber } from '../format.ts'

/** Shows the shell tasks that can be made from a session; `--save` stores them unchanged. */
export async function propose(context: Context): Promise<void> {
  const traceId = oneArgument(context, 'The trace id')
  const { client } = await context.connect()
  const proposed = await client.proposeShellTasks({ body: { traceId } })
  if (context.values['save'] !== true) return context.out(proposed, () => describe(proposed))
  const split = textOf(context.values, 'split')
  const saved: string[] = []
  for (const { steps, isStored, id, task, setup, check, difficulty, referenceSolution } of proposed.proposals) {
    if (isStored) continue
    const body = { task, setup, check, difficulty, referenceSolution, ...given({ split }) }
    await client.createShellTask({ body: { ...body, source: 'session', extra: { traceId, steps: steps.map((step) => step.id) } } })
    saved.push(id)
  }
  context.out({ ...proposed, saved }, () => `${describe(proposed)}\n\nStored: ${saved.length === 0 ? 'no new tasks' : saved.join(', ')}.`)
}

function describe({ calls, proposals, leftOut }: ShellTaskProposals): string {
  return [
    `${formatNumber(proposals.length)} shell tasks from ${formatNumber(calls)} shell commands. Edit and validate them before use.`,
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
    ...(leftOut.length === 0 ? [] : ['\nCommands that no task was made from:']),
    ...leftOut.map(({ reason, steps }) => `${formatNumber(steps.length)} commands: ${reason}`),
  ].join('\n')
}
