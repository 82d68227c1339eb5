import fs from 'node:fs'
import path from 'node:path'
import type { ComputeDevice, RunPlan, RunRequest } from '#contracts/entities/run.ts'
import type { AppError } from '#contracts/errors.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import type { Core } from '#server/core.ts'
import type { Materials } from '../materials.ts'
import { resolveSettings } from '../settings.ts'
import { freestGpus } from '../visible-gpus.ts'
import { factsOf } from '../base-models/facts.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { requiredColumns } from './check-row.ts'
import { configOf, environmentOf } from './config.ts'
import { diskOf, freeBytes } from './disk.ts'
import { estimateMemory, fitNow, fitOf } from './memory.ts'
import { trainableOf } from './memory-input.ts'
import { gpuNotes } from './gpu-notes.ts'
import { groupNotes } from './group-notes.ts'
import { dataNotes, engineNotes, modelNotes, resourceNotes, settingsNotes } from './notes.ts'
import { keepMore } from './keep-more.ts'
import { objectiveNotes } from './objective-notes.ts'
import { practiceNotes } from './practice.ts'
import { longerWindowNotes } from './longer-window.ts'
import { longerLengths, recommendLength } from './recommend.ts'
import { generatesAnswers, maxPromptTokens, settingRefusals, splitsRows } from './refusals.ts'
import { type Equipment, needNotes } from './needs.ts'
import { remedyFor } from './remedy.ts'
import type { CheckedRows, RowsInput } from './rows.job.ts'
import { learnsLastTurn } from './selection.ts'
import { packedRows, stepsOf } from './steps.ts'
import { type MeasuredRun, timeOf } from './time.ts'

const ROWS_JOB = new URL('./rows.job.ts', import.meta.url)
/** A form waits for the plan, so each call measures lengths only this long. The next call continues. */
const BUDGET_MS = 1500

export interface PlanDeps {
  core: Pick<Core, 'workers' | 'paths' | 'config'>
  materials: (request: RunRequest) => Materials
  devices: (engine: RunRequest['engine']) => Promise<Devices>
  /** Why its engine cannot start a run. */
  engineProblem: (request: RunRequest) => AppError | null
  /** Argument vector that trains with a config file. */
  command: (config: string) => string[]
  sandbox: () => readonly string[] | null
  equipment: (engine: RunRequest['engine']) => Omit<Equipment, 'hasCuda'>
  /** Completed runs of this strategy, newest first. */
  measured: (strategy: RunRequest['strategy']) => MeasuredRun[]
}

export interface Planned {
  plan: RunPlan
  materials: Materials
  /** The run gets a copy of its rows: they are in another program's format, come from a mix, or are shell tasks. */
  isCopied: boolean
}

/** What a start would do, without starting. Throws if the request names a model or data that do not exist. */
export async function makePlan(deps: PlanDeps, request: RunRequest, signal: AbortSignal): Promise<Planned> {
  const allMaterials = deps.materials(request)
  const requested = resolveSettings(request)
  const measure = (settings: TrainSettings) =>
    deps.core.workers.run<CheckedRows>(
      ROWS_JOB,
      {
        ...allMaterials.files,
        mix: allMaterials.mix,
        strategy: request.strategy,
        required: requiredColumns(request.strategy, settings, allMaterials.shellTasks !== null),
        tokenizer: fs.existsSync(path.join(allMaterials.model.path, 'tokenizer.json')) ? allMaterials.model.path : null,
        template: settings.template,
        maxLength: Math.max(1, maxPromptTokens({ strategy: request.strategy, settings }) ?? settings.maxLength),
        promptsOnly: generatesAnswers({ strategy: request.strategy, settings }),
        lastTurnOnly: learnsLastTurn(request.strategy, settings),
        splits: splitsRows({ strategy: request.strategy, settings }),
        budgetMs: BUDGET_MS,
      } satisfies RowsInput,
      { lane: 'query', key: 'training rows', signal }, // one thread, which caches the measurements
    )
  const foundAtRequested = await measure(requested)
  const [facts, teacher] = await Promise.all([factsOf(allMaterials.model.path), allMaterials.teacher && factsOf(allMaterials.teacher.path)])
  const devices = await deps.devices(request.engine)
  const device = deviceOf(requested, devices.items)
  const recommended = recommendLength(
    { strategy: request.strategy, settings: requested, model: facts, teacher, device },
    withValidation(foundAtRequested),
  )
  const supportedLength = facts.contextLength === null ? requested.maxLength : Math.min(requested.maxLength, facts.contextLength)
  const settings = request.settings.maxLength === undefined ? { ...requested, maxLength: supportedLength, ...recommended } : requested
  const found = settings.maxLength === requested.maxLength ? foundAtRequested : await measure(settings)
  const longest = found.lengths?.longest ?? null
  const memoryInput = { strategy: request.strategy, settings, model: facts, teacher, longest, device: device.kind }
  const memory = estimateMemory(memoryInput)
  const trainable = facts.parameters === null ? null : trainableOf(settings.method, facts.tensors, facts.parameters)
  const diskBytes = diskOf(settings, trainable, facts.parameters)
  const diskFreeBytes = freeBytes(deps.core.config.dataDir)
  const rows = found.lengths?.rows ?? found.rows
  const sequences = settings.packing && found.lengths !== null ? packedRows(settings, found.lengths) : rows
  const { steps, stepsPerEpoch } = stepsOf(settings, request.strategy, sequences)
  const fits = fitOf(memory, device)
  const fitsAs = (changed: TrainSettings) => fitNow(estimateMemory({ ...memoryInput, settings: changed }), device) !== 'no'
  const betterLength =
    recommended && recommended.maxLength > settings.maxLength && fitsAs({ ...settings, ...recommended }) ? recommended : null
  // the trainer fails if no validation row fits
  const hasValidation = found.val === null || found.val.rows > 0
  const materials = hasValidation ? allMaterials : { ...allMaterials, files: { ...allMaterials.files, val: null } }
  const withValLengths = withValidation(found)
  const keepMoreAdvice =
    withValLengths === null || (withValLengths.leftOut === 0 && hasValidation)
      ? null
      : keepMore({
          settings,
          lengths: withValLengths,
          better: betterLength && {
            settings: betterLength,
            trained: (await measure({ ...settings, ...betterLength })).lengths?.trained ?? null,
          },
          contextLength: facts.contextLength,
          fits: fitNow(memory, device) !== 'no',
        })
  const windowCost = ({ maxLength }: TrainSettings, { lengths }: CheckedRows) => lengths && { maxLength, tokens: lengths.tokens, trained: lengths.trained } // prettier-ignore
  const windowNow = windowCost(settings, found)
  const longerWindows =
    found.lengths?.isWhole && found.lengths.split > 0
      ? await Promise.all(
          longerLengths(settings.maxLength, facts.contextLength).map(async (maxLength) => {
            const changed = { ...settings, maxLength }
            const cost = windowCost(changed, await measure(changed))
            return cost && { ...cost, fits: fitsAs(changed) }
          }),
        )
      : []
  const capacity = { hasSandbox: deps.sandbox() !== null, sandboxLimit: allMaterials.shellTasks?.limit ?? null }
  const isAllowed = (changed: TrainSettings) =>
    settingRefusals({ strategy: request.strategy, settings: changed, ...capacity }).next().done === true
  const remedy = (freeBytes: number) => remedyFor(memoryInput, freeBytes, isAllowed)
  const notes = [
    ...modelNotes(request, settings, materials, facts, teacher),
    ...engineNotes(deps.engineProblem(request)),
    ...settingsNotes(request, settings, device, capacity),
    ...gpuNotes(settings, device, devices),
    ...groupNotes(request, settings, device, devices.items),
    ...(await needNotes(settings, { ...deps.equipment(request.engine), hasCuda: device.kind === 'cuda' })),
    ...dataNotes(request, materials, found, settings, keepMoreAdvice),
    ...(windowNow
      ? longerWindowNotes(
          windowNow,
          longerWindows.filter((one) => one !== null),
        )
      : []),
    ...practiceNotes(request, settings, rows),
    ...objectiveNotes(request, settings),
    ...resourceNotes({ memory, fits, device, diskBytes, diskFreeBytes, remedy, isOverridden: request.overrideMemory }),
  ].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
  const output = path.join(deps.core.paths.models, '…')
  const config = configOf({
    runId: 'plan',
    request,
    settings,
    materials,
    output,
    device: device.kind,
    environment: environmentOf(materials, output),
    sandbox: deps.sandbox(),
  })
  const { lengths } = found
  return {
    materials,
    isCopied: found.foreign > 0 || materials.mix.length > 0 || materials.shellTasks !== null,
    plan: {
      settings,
      rows,
      fileRows: found.rows,
      seenRows: Math.min(rows, Math.round((rows * steps) / stepsPerEpoch)),
      valRows: found.val?.rows ?? found.valRows,
      tokens: lengths?.tokens ?? null,
      trainedTokens: lengths?.trained ?? null,
      tokensExact: lengths?.exact ?? false,
      learnableTokens: lengths?.learnable ?? null,
      split: lengths?.split ?? null,
      leftOut: lengths?.leftOut ?? null,
      recommended,
      longest: lengths?.longest ?? null,
      lengths: lengths?.histogram ?? [],
      steps,
      stepsPerEpoch,
      parameters: facts.parameters,
      trainable,
      device,
      episodesAtOnce: materials.shellTasks?.limit ?? null,
      memory,
      fits,
      seconds: timeOf({ strategy: request.strategy, baseModelPath: materials.model.path, method: settings.method, device: device.kind, processes: settings.processes, tokens: tokensOf(request, settings, found, steps) }, deps.measured(request.strategy)), // prettier-ignore
      diskBytes,
      diskFreeBytes,
      notes,
      config: { ...config, runId: undefined },
      command: deps.command(path.join(output, 'config.json')),
    },
  }
}

/** Lengths of the training rows, but with the longest and needed length of the validation rows too. */
function withValidation({ lengths, val }: CheckedRows): CheckedRows['lengths'] {
  if (lengths === null || val === null) return lengths
  const needed = lengths.needed === null || val.needed === null ? lengths.needed : Math.max(lengths.needed, val.needed)
  return { ...lengths, needed, longest: Math.max(lengths.longest, val.longest) }
}

/** Tokens processed in all steps; null if the model generates most of them. */
function tokensOf({ strategy }: RunRequest, settings: TrainSettings, { lengths }: CheckedRows, steps: number): number | null {
  if (lengths === null || lengths.rows === 0 || !['sft', 'dpo', 'kto'].includes(strategy)) return null
  return (lengths.tokens / lengths.rows) * Math.min(settings.batchSize, lengths.rows) * steps
}

/** Order of the notes. */
const LEVELS = ['refusal', 'warning', 'info']

const NO_DEVICE: ComputeDevice = { kind: 'cpu', name: 'CPU', totalBytes: null, freeBytes: null, cores: null }

/** The device that the settings select; of several GPUs, the one with the least free memory. */
function deviceOf({ device, processes }: TrainSettings, devices: readonly ComputeDevice[]): ComputeDevice {
  const chosen = devices.find(({ kind }) => device === 'auto' || kind === device) ?? devices[0] ?? NO_DEVICE
  const gpus = chosen.kind === 'cuda' ? freestGpus(devices, processes) : []
  const smallest = gpus.at(-1) ?? chosen
  return gpus.length > 1 ? { ...smallest, name: `${gpus.length} × ${smallest.name}` } : smallest
}
