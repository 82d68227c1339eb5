import path from 'node:path'
import type { Dataset, DatasetKind } from '#contracts/entities/dataset.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { requireFile } from '#server/outside-file.ts'
import { fileBelow } from '#server/within.ts'
import { type ModelPlaces, requireModel } from './base-models/find.ts'
import type { FoundModel } from './base-models/found-model.ts'

/** Kinds of data sets that a strategy learns from. */
export const KINDS: Record<TrainStrategy, readonly DatasetKind[]> = {
  sft: ['sft'],
  dpo: ['dpo'],
  kto: ['kto'],
  grpo: ['prompts', 'rlvr'],
  rlvr: ['rlvr', 'prompts'],
  distillation: ['prompts', 'rlvr', 'sft'],
}

/** Models and rows of a run, as found on this machine. */
export interface Materials {
  model: FoundModel
  teacher: FoundModel | null
  files: { train: string; val: string | null }
  /** Files that are mixed in, and how often their rows occur in an epoch. */
  mix: readonly { train: string; weight: number }[]
  dataset: { id: string; name: string; kind: DatasetKind; repos: string[] } | null
  /** Set if the run learns from shell tasks: a name for their split, and how many episodes run at a time. */
  shellTasks: { name: string; limit: number } | null
}

/** Shell tasks as training rows. */
export interface TaskFiles {
  /** Writes the rows of a split to a file, which is not touched while the tasks are unchanged. Throws `shell_split_not_found`. */
  file: (split: string, use: 'train' | 'held out') => string
  /** Sandboxes that may run at a time. */
  limit: () => number
}

export interface MaterialDeps {
  /** Null if there are no shell tasks here. */
  tasks: TaskFiles | null
  /** The data directory. */
  dataDir: string
  modelPlaces: () => ModelPlaces
  dataset: (id: string) => Dataset
  datasetFolder: (id: string) => string
  repoOf: (traceId: string) => string | null
}

/** Throws `dataset_not_found`, `path_refused`, `base_model_not_found`, `invalid_request`. */
export function findMaterials(request: RunRequest, deps: MaterialDeps): Materials {
  const sources = [request.datasetId, request.file, request.shellTasks].filter((source) => source !== undefined)
  if (sources.length !== 1)
    throw new AppError('invalid_request', {
      message:
        sources.length === 0
          ? 'A run needs a data set, a file or shell tasks.'
          : 'Give one of a data set, a file and shell tasks, not several.',
    })
  if (request.shellTasks && (request.valFile !== undefined || (request.mix ?? []).length > 0))
    throw new AppError('invalid_request', { message: 'Shell tasks cannot be mixed with rows.', hint: 'Leave out valFile and mix.' })
  const model = requireModel(request.baseModel, deps.modelPlaces())
  if (request.strategy === 'distillation' && request.teacher === undefined)
    throw new AppError('invalid_request', { message: 'Distillation needs a teacher.', hint: 'Choose a teacher model.' })
  const teacher = request.teacher === undefined ? null : requireModel(request.teacher, deps.modelPlaces())
  const mix = (request.mix ?? []).map(({ datasetId, weight }) => {
    const mixed = deps.dataset(datasetId)
    if (!KINDS[request.strategy].includes(mixed.kind))
      throw new AppError('invalid_request', { message: `${mixed.name} is of kind ${mixed.kind}; ${request.strategy} needs data of kind ${KINDS[request.strategy].join(' or ')}.`, hint: 'Mix in another data set.' }) // prettier-ignore
    return { train: path.join(deps.datasetFolder(mixed.id), 'train.jsonl'), weight }
  })
  if (request.shellTasks) {
    const { tasks } = deps
    if (!tasks) throw new AppError('invalid_request', { message: 'There are no shell tasks here.' })
    const { split, heldout } = request.shellTasks
    if (split === heldout)
      throw new AppError('invalid_request', { message: `The split ${split} cannot be both trained on and held out.`, hint: 'Choose another held-out split.' }) // prettier-ignore
    const files = { train: tasks.file(split, 'train'), val: heldout === undefined ? null : tasks.file(heldout, 'held out') }
    return { model, teacher, files, mix, dataset: null, shellTasks: { name: `shell-tasks:${split}`, limit: tasks.limit() } }
  }
  if (request.datasetId === undefined) {
    const train = requireFile(request.file!, 'the data file', deps.dataDir)
    const val = request.valFile === undefined ? null : requireFile(request.valFile, 'the validation file', deps.dataDir)
    return { model, teacher, files: { train, val }, mix, dataset: null, shellTasks: null }
  }
  const dataset = deps.dataset(request.datasetId)
  const folder = deps.datasetFolder(dataset.id)
  const fileOf = (split: 'train' | 'val') => {
    const file = dataset.files.find((one) => one.split === split)
    return file && file.rows > 0 ? fileBelow(folder, file.path) : null
  }
  const train = fileOf('train') ?? path.join(folder, 'train.jsonl') // without rows, the plan refuses the run and says why
  const repos = [...new Set(dataset.sources.flatMap(({ traceId }) => deps.repoOf(traceId) ?? []))].toSorted()
  const val = request.valFile === undefined ? fileOf('val') : requireFile(request.valFile, 'the validation file', deps.dataDir)
  return {
    model,
    teacher,
    files: { train, val },
    mix,
    dataset: { id: dataset.id, name: `${dataset.name} v${dataset.version}`, kind: dataset.kind, repos },
    shellTasks: null,
  }
}
