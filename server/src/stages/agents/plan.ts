import fs from 'node:fs'
import path from 'node:path'
import { inJudged } from '#server/foreign/index.ts'
import type { TaskPlan, TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { addressKind, type Git, type WorkingTree } from '#server/adapters/git/index.ts'
import { type Checks, readFacts } from '#server/stages/checks/index.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import { HOST_PLACE, type Place, placeOf, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { AgentDriver } from './driver.ts'
import { planOfHarbor } from './harbor/plan.ts'
import type { TaskModels } from './models.ts'
import { privacyOf, redactionOf } from './receiver.ts'
import { hasCached } from './set-up-cache.ts'
import { findSetUp } from './set-up.ts'
import { packagesOf } from './working-copy.ts'

export interface PlanDeps {
  sandboxes: Sandboxes
  checks: Checks
  git: Git
  models: TaskModels
  drivers: readonly AgentDriver[]
  /** The folder of all runs, with the cached packages. */
  tasksFolder: string
}

/**
 * Describes what a run would do, and everything that prevents it from starting. Only the agent program is run, for its version.
 * `triesChecks`: the runner of the checks is tried in a sandbox, too; for a plan that the user reads, not at each start.
 */
export async function planOf(
  request: TaskRequest,
  { sandboxes, checks, git, models, drivers, tasksFolder }: PlanDeps,
  triesChecks: boolean,
): Promise<TaskPlan> {
  const refusals: TaskPlan['refusals'] = []
  const refuse = (message: string, hint: string | null = null) => void refusals.push({ message, hint })

  const driver = drivers.find((one) => one.agent === request.agent)!
  const agent = await driver.find()
  if (agent.missing !== null) refuse(agent.missing)

  const found = models.find(request.endpoint, request.model)
  const { payer, model, price, missing, dialect } = found
  const refusal = driver.refuses?.(request, dialect)
  if (missing) refuse(missing.message, missing.hint)
  else if (refusal) refuse(refusal.message, refusal.hint)
  else if (request.caps.costUsd !== null && price === null)
    refuse(
      `The price of ${model ?? 'this model'} is not known, so a cost limit cannot be enforced.`,
      request.endpoint.kind === 'url'
        ? 'Limit tokens instead of cost: only the owner of this address knows its prices.'
        : 'Enter its price under Settings → Prices, or limit tokens instead of cost.',
    )

  if (request.repositoryUrl !== undefined && addressKind(request.repositoryUrl) === null)
    refuse(`${request.repositoryUrl} cannot be cloned.`, 'Enter an https address without a password, or the absolute path of a repository.')
  const redaction = redactionOf(request.redact, found, driver.asksItself ? 'server' : 'program')
  const directory = await directoryOf(request, refuse)
  const state = directory === null ? null : await stateOf(directory, git, refuse)
  const machine =
    request.harbor === undefined
      ? { isolation: await isolationOf(request, { sandboxes, driver }, refuse) }
      : await planOfHarbor(request, request.harbor, { sandboxes, refuse })
  const setup = directory === null && request.setup === undefined ? [] : await setUpOf(request, directory, { state, tasksFolder })
  const ownChecks = directory === null ? [] : await checksOf(directory, request, checks)
  const canTry = triesChecks && directory !== null && machine.isolation !== null && refusals.length === 0 && setup.length === 0
  return {
    agent,
    payer,
    privacy: privacyOf(found, redaction),
    redaction,
    model,
    price: price && { inputPerMTok: price.inputPerMTok, outputPerMTok: price.outputPerMTok },
    repository: state && { commit: state.head, branch: state.branch, files: state.files.length, uncommitted: state.uncommitted },
    setup,
    checks: ownChecks,
    checksLack: canTry && ownChecks[0] ? await lackOf(directory, ownChecks[0], placeOf(request), checks) : null,
    ...machine,
    refusals,
  }
}

async function directoryOf({ directory, repositoryUrl }: TaskRequest, refuse: Refuse): Promise<string | null> {
  if (directory === undefined) return null
  if (repositoryUrl !== undefined) refuse('A run starts from a folder or from a repository address, not both.', 'Remove one of them.')
  try {
    const folder = path.resolve(directory) // it was judged as it is: a link that takes its place from here on is not followed
    if (!(await fs.promises.stat(folder)).isDirectory()) refuse(`${directory} is not a folder.`)
    else if (folder === '/') refuse('The whole file system is not a project.', 'Enter the absolute path of a project.')
    else return await inJudged(folder, (opened) => opened.withOpen('', async () => folder))
  } catch (error) {
    refuse(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? `The folder ${directory} does not exist.`
        : `The folder ${directory} cannot be read: ${(error as Error).message}.`,
      'Enter the absolute path of a folder on this machine that you can read.',
    )
  }
  return null
}

type Refuse = (message: string, hint?: string) => void

/** The engine that would run it; null if none can. */
async function isolationOf(
  request: TaskRequest,
  { sandboxes, driver }: { sandboxes: Sandboxes; driver: AgentDriver },
  refuse: Refuse,
): Promise<string | null> {
  const { backend, image } = placeOf(request)
  const { available, reason, images } = (await sandboxes.backends()).find(({ name }) => name === backend)!
  if (!available) {
    refuse(
      `An agent is never run outside a sandbox, and ${backend} cannot be used here: ${reason ?? 'it was not found.'}`,
      'Run `bashgym doctor`.',
    )
    return null
  }
  if (!images.includes(image)) {
    refuse(
      ENGINE_ABILITIES[backend].runsImages && image === HOST_PLACE.image
        ? 'A run with Docker needs the name of an image.'
        : `The sandbox engine ${backend} has no image "${image}".`,
      `Available: ${images.join(', ') || 'none'}. Images are never downloaded automatically.`,
    )
    return null
  }
  if (!ENGINE_ABILITIES[backend].choosesAddresses) refuseInDocker(request, driver, refuse)
  return backend
}

/** A container has either no network or all of it, and cannot reach a port of this machine. */
function refuseInDocker({ network }: TaskRequest, { asksItself }: AgentDriver, refuse: Refuse): void {
  if (!asksItself)
    refuse(
      'This agent calls its model from inside its sandbox, and a Docker container cannot be given access to the model alone.',
      'Choose the shell agent, whose model is called from outside, or bubblewrap.',
    )
  if (network.length > 0) refuse('Docker cannot enforce a list of allowed addresses.', 'Allow none, or choose bubblewrap.')
}

async function stateOf(directory: string, git: Git, refuse: Refuse): Promise<WorkingTree | null> {
  try {
    return await git.workingTree(directory)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'path_refused') throw error
    refuse(error.message, error.hint)
    return null
  }
}

async function setUpOf(
  request: TaskRequest,
  directory: string | null,
  { state, tasksFolder }: { state: WorkingTree | null; tasksFolder: string },
): Promise<TaskPlan['setup']> {
  const { setup } = request
  if (setup !== undefined || directory === null) return (setup ?? []).map((command) => ({ command, because: 'given', cached: false }))
  const facts = await readFacts(directory)
  const steps = await findSetUp(facts, await packagesOf(directory, facts.files))
  const cached = state?.uncommitted === 0 && (await hasCached(tasksFolder, { repository: state.top, head: state.head, steps, request }))
  return steps.map((step) => ({ ...step, cached }))
}

async function checksOf(directory: string, { verify }: TaskRequest, checks: Checks): Promise<TaskPlan['checks']> {
  if (verify !== undefined) return [{ runner: 'command', command: verify, because: 'given' }]
  return checks.find(directory)
}

const TRY_MS = 60_000

/** A set-up may install what is missing, so this is asked only without one. Null too if the sandbox could not tell. */
const lackOf = (directory: string, check: TaskPlan['checks'][number], place: Place, checks: Checks): Promise<string | null> =>
  checks.lackOf(directory, check, place, AbortSignal.timeout(TRY_MS)).catch(() => null)
