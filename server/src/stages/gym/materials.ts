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

/** What a run is made of, found on this machine. */
export interface Materials {
  model: FoundModel
  teacher: FoundModel | null
  files: { train: string; val: string | null }
  /** What is mixed in, and how often each of its rows comes. */
  mix: readonly { train: string; weight: number }[]
  dataset: { id: string; name: string; kind: DatasetKind; repos: string[] } | null
  /** Of shell tasks: their name, and how many are tried at a time. */
  played: { name: string; places: number } | null
}

/** Tasks of the store, as a run learns from them. */
export interface TaskPlaces {
  /** Writes the rows of a split into a file that stays as it is while the tasks do. Throws `shell_split_not_found`. */
  file: (split: string, use: 'train' | 'held out') => string
  /** Sandboxes that may run at a time. */
  places: () => number
}

export interface MaterialDeps {
  /** Null: there are none here. */
  tasks: TaskPlaces | null
  /** The data directory. */
  dataDir: string
  places: () => ModelPlaces
  dataset: (id: string) => Dataset
  datasetFolder: (id: string) => string
  /** Repository of a session. */
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
    throw new AppError('invalid_request', { message: 'Shell tasks are not mixed with rows.', hint: 'Leave out valFile and mix.' })
  const model = requireModel(request.baseModel, deps.places())
  if (request.strategy === 'distillation' && request.teacher === undefined)
    throw new AppError('invalid_request', { message: 'Distillation needs a teacher.', hint: 'Choose a teacher model.' })
  const teacher = request.teacher === undefined ? null : requireModel(request.teacher, deps.places())
  const mix = (request.mix ?? []).map(({ datasetId, weight }) => {
    const found = deps.dataset(datasetId)
    if (!KINDS[request.strategy].includes(found.kind))
      throw new AppError('invalid_request', { message: `${found.name} is of kind ${found.kind}; ${request.strategy} needs data of kind ${KINDS[request.strategy].join(' or ')}.`, hint: 'Mix in another data set.' }) // prettier-ignore
    return { train: path.join(deps.datasetFolder(found.id), 'train.jsonl'), weight }
  })
  if (request.shellTasks) {
    const { tasks } = deps
    if (!tasks) throw new AppError('invalid_request', { message: 'There are no shell tasks here.' })
    const { split, heldout } = request.shellTasks
    if (split === heldout)
      throw new AppError('invalid_request', { message: `The split ${split} cannot be both trained on and held out.`, hint: 'Choose another held-out split.' }) // prettier-ignore
    const files = { train: tasks.file(split, 'train'), val: heldout === undefined ? null : tasks.file(heldout, 'held out') }
    return { model, teacher, files, mix, dataset: null, played: { name: `shell-tasks:${split}`, places: tasks.places() } }
  }
  if (request.datasetId === undefined) {
    const train = requireFile(request.file!, 'the data file', deps.dataDir)
    const val = request.valFile === undefined ? null : requireFile(request.valFile, 'the validation file', deps.dataDir)
    return { model, teacher, files: { train, val }, mix, dataset: null, played: null }
  }
  const found = deps.dataset(request.datasetId)
  const folder = deps.datasetFolder(found.id)
  const fileOf = (split: 'train' | 'val') => {
    const file = found.files.find((one) => one.split === split)
    return file && file.rows > 0 ? fileBelow(folder, file.path) : null
  }
  const train = fileOf('train') ?? path.join(folder, 'train.jsonl') // a version without rows is refused by its rows, with their count
  const repos = [...new Set(found.sources.flatMap(({ traceId }) => deps.repoOf(traceId) ?? []))].toSorted()
  const val = request.valFile === undefined ? fileOf('val') : requireFile(request.valFile, 'the validation file', deps.dataDir)
  return {
    model,
    teacher,
    files: { train, val },
    mix,
    dataset: { id: found.id, name: `${found.name} v${found.version}`, kind: found.kind, repos },
    played: null,
  }
}
