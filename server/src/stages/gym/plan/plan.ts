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
import { estimateMemory, fitOf } from './memory.ts'
import { trainableOf } from './memory-input.ts'
import { gpuNotes } from './gpu-notes.ts'
import { groupNotes } from './group-notes.ts'
import { dataNotes, engineNotes, modelNotes, placeNotes, settingsNotes } from './notes.ts'
import { keepMore } from './keep-more.ts'
import { practiceNotes } from './practice.ts'
import { recommendLength } from './recommend.ts'
import { answersItself, maxPromptTokens, settingRefusals, splitsRows } from './refusals.ts'
import { type Equipment, needNotes } from './needs.ts'
import { remedyFor } from './remedy.ts'
import type { RowsFound, RowsInput } from './rows.job.ts'
import { learnsLastTurn } from './selection.ts'
import { packedRows, stepsOf } from './steps.ts'
import { type MeasuredRun, timeOf } from './time.ts'

const ROWS_JOB = new URL('./rows.job.ts', import.meta.url)
/** A form that waits for its plan: lengths are measured this long, the next call continues. */
const BUDGET_MS = 1500

export interface PlanParts {
  core: Pick<Core, 'workers' | 'paths' | 'config'>
  materials: (request: RunRequest) => Materials
  /** What runs on this engine compute on. */
  devices: (engine: RunRequest['engine']) => Promise<Devices>
  /** Why the engine could start nothing. */
  engineProblem: (engine: RunRequest['engine']) => AppError | null
  /** Argument vector that trains by a config file. */
  command: (config: string) => string[]
  sandbox: () => readonly string[] | null
  equipment: (engine: RunRequest['engine']) => Omit<Equipment, 'hasCuda'>
  /** Completed runs of this strategy, newest first. */
  measured: (strategy: RunRequest['strategy']) => MeasuredRun[]
}

export interface Planned {
  plan: RunPlan
  materials: Materials
  /** Rows are written for other programs, or several data sets are mixed: the run gets a copy as its trainer reads it. */
  isCopied: boolean
}

/** What a start would do. Nothing is written. Throws if the request names what is not there. */
export async function makePlan(parts: PlanParts, request: RunRequest, signal: AbortSignal): Promise<Planned> {
  const given = parts.materials(request)
  const asked = resolveSettings(request)
  const measure = (settings: TrainSettings) =>
    parts.core.workers.run<RowsFound>(
      ROWS_JOB,
      {
        ...given.files,
        mix: given.mix,
        strategy: request.strategy,
        required: requiredColumns(request.strategy, settings, given.played !== null),
        tokenizer: fs.existsSync(path.join(given.model.path, 'tokenizer.json')) ? given.model.path : null,
        template: settings.template,
        maxLength: Math.max(1, maxPromptTokens({ strategy: request.strategy, settings }) ?? settings.maxLength),
        promptsOnly: answersItself({ strategy: request.strategy, settings }),
        lastTurnOnly: learnsLastTurn(request.strategy, settings),
        splits: splitsRows({ strategy: request.strategy, settings }),
        budgetMs: BUDGET_MS,
      } satisfies RowsInput,
      { lane: 'query', key: 'training rows', signal }, // its thread keeps what it measured
    )
  const atAsked = await measure(asked)
  const [facts, teacher] = await Promise.all([factsOf(given.model.path), given.teacher && factsOf(given.teacher.path)])
  const devices = await parts.devices(request.engine)
  const device = deviceOf(asked, devices.items)
  const recommended = recommendLength(
    { strategy: request.strategy, settings: asked, model: facts, teacher, device },
    withValidation(atAsked),
  )
  const most = facts.contextLength === null ? asked.maxLength : Math.min(asked.maxLength, facts.contextLength)
  const settings = request.settings.maxLength === undefined ? { ...asked, maxLength: most, ...recommended } : asked
  const found = settings.maxLength === asked.maxLength ? atAsked : await measure(settings)
  const longest = found.lengths?.longest ?? null
  const memoryInput = { strategy: request.strategy, settings, model: facts, teacher, longest, device: device.kind }
  const memory = estimateMemory(memoryInput)
  const trainable = facts.parameters === null ? null : trainableOf(settings.method, facts.tensors, facts.parameters)
  const diskBytes = diskOf(settings, trainable, facts.parameters)
  const diskFreeBytes = freeBytes(parts.core.config.dataDir)
  const rows = found.lengths?.rows ?? found.rows
  const sequences = settings.packing && found.lengths !== null ? packedRows(settings, found.lengths) : rows
  const { steps, stepsPerEpoch } = stepsOf(settings, request.strategy, sequences)
  const fits = fitOf(memory, device)
  const fitsAs = (changed: TrainSettings) => fitOf(estimateMemory({ ...memoryInput, settings: changed }), device) !== 'no'
  const better = recommended && recommended.maxLength > settings.maxLength && fitsAs({ ...settings, ...recommended }) ? recommended : null
  // rows of which none fits would end the run at its start
  const hasValidation = found.val === null || found.val.rows > 0
  const materials = hasValidation ? given : { ...given, files: { ...given.files, val: null } }
  const all = withValidation(found)
  const keep =
    all === null || (all.leftOut === 0 && hasValidation)
      ? null
      : keepMore({
          settings,
          lengths: all,
          better: better && { settings: better, trained: (await measure({ ...settings, ...better })).lengths?.trained ?? null },
          contextLength: facts.contextLength,
          fits: fits !== 'no',
        })
  const capacity = { hasSandbox: parts.sandbox() !== null, places: given.played?.places ?? null }
  const isAllowed = (changed: TrainSettings) =>
    settingRefusals({ strategy: request.strategy, settings: changed, ...capacity }).next().done === true
  const remedy = (freeBytes: number) => remedyFor(memoryInput, freeBytes, isAllowed)
  const notes = [
    ...modelNotes(request, settings, materials, facts, teacher),
    ...engineNotes(parts.engineProblem(request.engine)),
    ...settingsNotes(request, settings, device, capacity),
    ...gpuNotes(settings, device, devices),
    ...groupNotes(request, settings, device, devices.items),
    ...(await needNotes(settings, { ...parts.equipment(request.engine), hasCuda: device.kind === 'cuda' })),
    ...dataNotes(request, materials, found, settings, keep),
    ...practiceNotes(request, settings, rows),
    ...placeNotes({ memory, fits, device, diskBytes, diskFreeBytes, remedy, isOverridden: request.overrideMemory }),
  ].toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
  const output = path.join(parts.core.paths.models, '…')
  const config = configOf({
    runId: 'plan',
    request,
    settings,
    materials,
    output,
    device: device.kind,
    environment: environmentOf(materials, output),
    sandbox: parts.sandbox(),
  })
  const { lengths } = found
  return {
    materials,
    isCopied: found.foreign > 0 || materials.mix.length > 0 || materials.played !== null,
    plan: {
      settings,
      rows,
      fileRows: found.rows,
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
      episodesAtOnce: materials.played?.places ?? null,
      memory,
      fits,
      seconds: timeOf({ strategy: request.strategy, baseModelPath: materials.model.path, method: settings.method, device: device.kind, processes: settings.processes, tokens: tokensOf(request, settings, found, steps) }, parts.measured(request.strategy)), // prettier-ignore
      diskBytes,
      diskFreeBytes,
      notes,
      config: { ...config, runId: undefined },
      command: parts.command(path.join(output, 'config.json')),
    },
  }
}

/** Lengths of the rows that are trained on, with what the validation rows need beside them. */
function withValidation({ lengths, val }: RowsFound): RowsFound['lengths'] {
  if (lengths === null || val === null) return lengths
  const needed = lengths.needed === null || val.needed === null ? lengths.needed : Math.max(lengths.needed, val.needed)
  return { ...lengths, needed, longest: Math.max(lengths.longest, val.longest) }
}

/** Tokens that go through over all steps; null if the model writes most of them itself. */
function tokensOf({ strategy }: RunRequest, settings: TrainSettings, { lengths }: RowsFound, steps: number): number | null {
  if (lengths === null || lengths.rows === 0 || !['sft', 'dpo', 'kto'].includes(strategy)) return null
  return (lengths.tokens / lengths.rows) * Math.min(settings.batchSize, lengths.rows) * steps * (strategy === 'dpo' ? 2 : 1)
}

/** What stops a start comes first. */
const LEVELS = ['refusal', 'warning', 'info']

const NO_DEVICE: ComputeDevice = { kind: 'cpu', name: 'CPU', totalBytes: null, freeBytes: null, cores: null }

/** The device that the settings come to; of several GPUs the one with the least free memory. */
function deviceOf({ device, processes }: TrainSettings, found: readonly ComputeDevice[]): ComputeDevice {
  const chosen = found.find(({ kind }) => device === 'auto' || kind === device) ?? found[0] ?? NO_DEVICE
  const gpus = chosen.kind === 'cuda' ? freestGpus(found, processes) : []
  const last = gpus.at(-1) ?? chosen
  return gpus.length > 1 ? { ...last, name: `${gpus.length} × ${last.name}` } : last
}
