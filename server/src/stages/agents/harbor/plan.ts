import type { TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { withDefaults } from '#server/adapters/harbor/environment-values.ts'
import { type HarborTask, readHarborTask } from '#server/adapters/harbor/read.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { machineOf } from './machine.ts'

type Refuse = (message: string, hint: string | null) => void

/** The set-up and checks of a Harbor task; calls `refuse` for each reason why it cannot run. */
export async function planOfHarbor(
  request: TaskRequest,
  folder: string,
  { sandboxes, refuse }: { sandboxes: Sandboxes; refuse: Refuse },
): Promise<Pick<TaskPlan, 'setup' | 'checks' | 'isolation'>> {
  const nothing = { setup: [], checks: [], isolation: null }
  const conflicts = OWN_FIELDS.filter((name) => request[name] !== undefined)
  if (conflicts.length > 0 || request.network.length > 0)
    refuse(`A Harbor task has its own machine, files and tests, so it cannot be combined with: ${[...conflicts, ...(request.network.length > 0 ? ['network'] : [])].join(', ')}.`, 'Remove these options.') // prettier-ignore
  if (request.agent !== 'shell')
    refuse('This agent cannot run in the machine of a Harbor task, which has no access to a model.', 'Choose the shell agent.')
  let task: HarborTask
  try {
    task = await readHarborTask(folder)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refuse(error.message, error.hint ?? null)
    return nothing
  }
  if (task.unsupported.length > 0) refuse(`This task needs what a run does not have: ${task.unsupported.join('; ')}.`, null)
  const missing = [task.env, task.checkEnv].flatMap((env) => withDefaults(env).missing)
  if (missing.length > 0)
    refuse(
      `This task needs variables of your environment, which runs do not get: ${missing.join(', ')}.`,
      'Give the variables a default: ${NAME:-default}.',
    ) // oxlint-disable-line no-template-curly-in-string -- as it is written in task.toml
  const checks: TaskPlan['checks'] = [
    { runner: 'harbor', command: task.check, because: task.format === 'harbor' ? 'task.toml' : 'task.yaml' },
  ]
  const machine = await machineOf(task, await sandboxes.backends())
  if ('refusal' in machine) {
    refuse(machine.refusal.message, machine.refusal.hint)
    return { ...nothing, checks }
  }
  const { place, isBuilt } = machine
  const setup =
    task.environment?.kind === 'dockerfile' ? [{ command: `docker build (${place.image})`, because: 'Dockerfile', cached: isBuilt }] : []
  return { setup, checks, isolation: place.backend }
}

const OWN_FIELDS = ['directory', 'repositoryUrl', 'verify', 'setup', 'backend', 'image'] as const
