import type { TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { withDefaults } from '#server/adapters/harbor/environment-values.ts'
import { type HarborTask, readHarborTask } from '#server/adapters/harbor/read.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { machineOf } from './machine.ts'

type Refuse = (message: string, hint: string | null) => void

/** The set-up and checks of a task of Harbor, and the reasons why it cannot run. */
export async function planOfHarbor(
  request: TaskRequest,
  folder: string,
  { sandboxes, refuse }: { sandboxes: Sandboxes; refuse: Refuse },
): Promise<Pick<TaskPlan, 'setup' | 'checks' | 'isolation'>> {
  const nothing = { setup: [], checks: [], isolation: null }
  const own = OWN.filter((name) => request[name] !== undefined)
  if (own.length > 0 || request.network.length > 0)
    refuse(`A task of Harbor brings its own machine, files and tests; this is given beside it: ${[...own, ...(request.network.length > 0 ? ['network'] : [])].join(', ')}.`, 'Leave it out.') // prettier-ignore
  if (request.agent !== 'shell')
    refuse(
      'This agent cannot work in the machine of a task of Harbor: from there nothing leads to its model alone.',
      'Choose the shell agent.',
    )
  let task: HarborTask
  try {
    task = readHarborTask(folder)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    refuse(error.message, error.hint ?? null)
    return nothing
  }
  if (task.unsupported.length > 0) refuse(`This task asks for what a run here does not have: ${task.unsupported.join('; ')}.`, null)
  const missing = [task.env, task.checkEnv].flatMap((env) => withDefaults(env).missing)
  if (missing.length > 0)
    refuse(
      `This task asks for variables of your environment, which a run is not given: ${missing.join(', ')}.`,
      'Give them a default: ${NAME:-default}.',
    ) // oxlint-disable-line no-template-curly-in-string -- as it is written in task.toml
  const checks: TaskPlan['checks'] = [
    { runner: 'harbor', command: task.check, because: task.format === 'harbor' ? 'task.toml' : 'task.yaml' },
  ]
  const machine = machineOf(task, await sandboxes.backends())
  if ('refusal' in machine) {
    refuse(machine.refusal.message, machine.refusal.hint)
    return { ...nothing, checks }
  }
  const { place, isBuilt } = machine
  const setup =
    task.environment?.kind === 'dockerfile' ? [{ command: `docker build (${place.image})`, because: 'Dockerfile', cached: isBuilt }] : []
  return { setup, checks, isolation: place.backend }
}

const OWN = ['directory', 'repositoryUrl', 'verify', 'setup', 'backend', 'image'] as const
