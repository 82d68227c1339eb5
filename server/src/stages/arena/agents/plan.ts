import fs from 'node:fs'
import type { TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { addressKind, type Git } from '#server/adapters/git/index.ts'
import { readFacts } from '../checks/facts.ts'
import type { Checks } from '../checks/service.ts'
import { HERE, placeOf } from '../sandboxes/place.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import type { AgentDriver } from './driver.ts'
import { planOfHarbor } from './harbor/plan.ts'
import type { TaskModels } from './models.ts'
import { findSetUp } from './set-up.ts'
import { packagesOf } from './working-copy.ts'

export interface PlanDeps {
  sandboxes: Sandboxes
  checks: Checks
  git: Git
  models: TaskModels
  drivers: readonly AgentDriver[]
}

/** What a run would be, and everything that keeps it from starting. Nothing is run but the agent program, for its version. */
export async function planOf(request: TaskRequest, { sandboxes, checks, git, models, drivers }: PlanDeps): Promise<TaskPlan> {
  const refusals: TaskPlan['refusals'] = []
  const refuse = (message: string, hint: string | null = null) => void refusals.push({ message, hint })

  const driver = drivers.find((one) => one.agent === request.agent)!
  const agent = await driver.find()
  if (agent.missing !== null) refuse(agent.missing)

  const { payer, model, price, missing, dialect } = models.find(request.endpoint, request.model)
  const refusal = driver.refuses?.(request, dialect)
  if (missing) refuse(missing.message, missing.hint)
  else if (refusal) refuse(refusal.message, refusal.hint)
  else if (request.caps.costUsd !== null && price === null)
    refuse(
      `The price of ${model ?? 'this model'} is not known, so a limit of cost cannot be kept.`,
      request.endpoint.kind === 'url'
        ? 'Limit tokens instead of money: nobody but the owner of this address knows what it charges.'
        : 'Enter its price under Settings → Prices, or limit tokens instead of money.',
    )

  if (request.repositoryUrl !== undefined && addressKind(request.repositoryUrl) === null)
    refuse(`${request.repositoryUrl} cannot be cloned.`, 'Write an https address without a password, or the whole path of a repository.')
  const directory = directoryOf(request, refuse)
  const machine =
    request.harbor === undefined
      ? { isolation: await isolationOf(request, sandboxes, refuse) }
      : await planOfHarbor(request, request.harbor, { sandboxes, refuse })
  return {
    agent,
    payer,
    model,
    price: price && { inputPerMTok: price.inputPerMTok, outputPerMTok: price.outputPerMTok },
    repository: directory === null ? null : await repositoryOf(directory, git),
    setup: directory === null && request.setup === undefined ? [] : setUpOf(request, directory),
    checks: directory === null ? [] : checksOf(directory, request, checks),
    ...machine,
    refusals,
  }
}

function directoryOf({ directory, repositoryUrl }: TaskRequest, refuse: Refuse): string | null {
  if (directory === undefined) return null
  if (repositoryUrl !== undefined) refuse('A run begins in a folder or from an address, not both.', 'Leave one of them out.')
  try {
    const folder = fs.realpathSync(directory)
    if (!fs.statSync(folder).isDirectory()) refuse(`${directory} is not a folder.`)
    else if (folder === '/') refuse('The whole file system is not a project.', 'Write the whole path of a project.')
    else return folder
  } catch (error) {
    refuse(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The folder ${directory} does not exist.`
        : `The folder ${directory} cannot be read: ${(error as Error).message}.`,
      'Write the whole path of a folder on this machine that you may read.',
    )
  }
  return null
}

type Refuse = (message: string, hint?: string) => void

/** The engine that would run it; null: none can. */
async function isolationOf(request: TaskRequest, sandboxes: Sandboxes, refuse: Refuse): Promise<string | null> {
  const { backend, image } = placeOf(request)
  const { available, reason, images } = (await sandboxes.backends()).find(({ name }) => name === backend)!
  if (!available) {
    refuse(
      `An agent is never run outside a sandbox, and ${backend} cannot be used here: ${reason ?? 'it is not there.'}`,
      'Run `bashgym doctor`.',
    )
    return null
  }
  if (!images.includes(image)) {
    refuse(
      backend === 'docker' && image === HERE.image
        ? 'With Docker a run needs the name of an image.'
        : `There is no image "${image}" here (${backend}).`,
      `Available: ${images.join(', ') || 'none'}. Nothing is downloaded by itself.`,
    )
    return null
  }
  if (backend === 'docker') refuseInDocker(request, refuse)
  return backend
}

/** Containers have no network but all of it, and no way to a port of this machine. */
function refuseInDocker({ agent, network }: TaskRequest, refuse: Refuse): void {
  if (agent !== 'shell')
    refuse(
      'This agent asks its model from inside its sandbox, and a container of Docker has no way out that leads to the model alone.',
      'Choose the shell agent, whose model is asked from outside, or bubblewrap.',
    )
  if (network.length > 0) refuse('With Docker a list of allowed addresses cannot be held.', 'Allow none, or choose bubblewrap.')
}

async function repositoryOf(directory: string, git: Git): Promise<TaskPlan['repository']> {
  const state = await git.workingTree(directory)
  return state && { commit: state.head, branch: state.branch, files: state.files.length, uncommitted: state.uncommitted }
}

function setUpOf({ setup }: TaskRequest, directory: string | null): TaskPlan['setup'] {
  if (setup !== undefined || directory === null) return (setup ?? []).map((command) => ({ command, because: 'given', cached: false }))
  return findSetUp(readFacts(directory), packagesOf(directory)).map((step) => ({ ...step, cached: false }))
}

function checksOf(directory: string, { verify }: TaskRequest, checks: Checks): TaskPlan['checks'] {
  if (verify !== undefined) return [{ runner: 'command', command: verify, because: 'given' }]
  return checks.find(directory)
}
