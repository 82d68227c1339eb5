import type { ComputeDevice, MemoryEstimate, PlanNote, RunPlan, RunRequest } from '#contracts/entities/run.ts'
import type { AppError } from '#contracts/errors.ts'
import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { ModelFacts } from '../base-models/model-facts.ts'
import { KINDS, type Materials } from '../materials.ts'
import { targetsOf } from './memory.ts'
import { type Refusal, roomForPrompts, rowRefusal, settingRefusals } from './refusals.ts'
import { type Remedy, remedyWords } from './remedy.ts'
import type { RowsFound } from './rows.job.ts'

type Lengths = NonNullable<RowsFound['lengths']>
type Where = Partial<Pick<PlanNote, 'row' | 'field'>>
const note = (level: PlanNote['level'], code: string, message: string, hint: string | null, where: Where = {}): PlanNote => ({
  level,
  code,
  message,
  hint,
  row: where.row ?? null,
  field: where.field ?? null,
})
const refusalNote = ({ code, message, hint, field }: Refusal): PlanNote => note('refusal', code, message, hint, { field })
const gb = (bytes: number) => (bytes < 1e8 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`)

/** What stands against the data, or should be known of them. */
export function dataNotes({ strategy }: RunRequest, { dataset }: Materials, found: RowsFound, settings: TrainSettings): PlanNote[] {
  if (dataset && !KINDS[strategy].includes(dataset.kind)) {
    const message = `${dataset.name} is of kind ${dataset.kind}; ${strategy} needs data of kind ${KINDS[strategy].join(' or ')}.`
    return [note('refusal', 'wrong_kind', message, 'Choose another data set, or another strategy.', { field: 'datasetId' })]
  }
  const { bad, lengths, refused } = found
  if (bad !== null) {
    const where = bad.file === 'train' ? `Row ${bad.row}` : `Row ${bad.row} of the validation file`
    return [
      note('refusal', 'row_invalid', `${where}: ${bad.message}.`, 'Mend the row, or take it out.', { row: bad.row, field: bad.field }),
    ]
  }
  if (found.rows === 0) return [note('refusal', 'empty_data', 'There is no row to train on.', 'Choose data with rows.')]
  const byTemplate = 'Choose a base model whose chat template takes such rows, or take them out.'
  if (refused !== null && (lengths === null || strategy === 'sft')) return [note('refusal', 'template_refused', refused, byTemplate)]
  const tooFew = rowRefusal({ strategy, settings }, found.rows, found.labels)
  return [
    ...(tooFew === null ? [] : [refusalNote(tooFew)]),
    ...(refused === null ? [] : [note('warning', 'template_refused', refused, null)]),
    ...(lengths === null ? [] : lengthNotes(strategy, found.rows, lengths, settings, tooFew !== null)),
  ]
}

function* lengthNotes(
  strategy: TrainStrategy,
  rows: number,
  lengths: Lengths,
  settings: TrainSettings,
  isRefused: boolean,
): Generator<PlanNote> {
  const isWhole = lengths.measured === rows
  const { maxLength } = settings
  const room = roomForPrompts({ strategy, settings })
  if (strategy === 'sft' && lengths.trained === 0 && isWhole)
    yield lengths.trainedCutOff
      ? note('refusal', 'no_trained_tokens', `No row has a token that carries loss within ${maxLength} tokens.`, 'Raise maxLength, or leave long rows out.', { field: 'maxLength' }) // prettier-ignore
      : note('refusal', 'no_trained_tokens', 'No row has a token that carries loss.', 'Choose rows in which the assistant speaks.')
  if (room !== null && room <= 0) return // refused by the settings
  if (room !== null && lengths.truncated > 0) {
    const message = `${isWhole ? '' : 'About '}${lengths.truncated} of ${rows} prompts are longer than ${room} tokens (maxLength less maxCompletion) and are left out.`
    const left = rowRefusal({ strategy, settings }, rows - lengths.truncated, [])
    if (lengths.exact && lengths.truncated === rows)
      yield note('refusal', 'prompts_too_long', `All prompts are longer than ${room} tokens (maxLength less maxCompletion).`, 'Raise maxLength, or lower maxCompletion.', { field: 'maxLength' }) // prettier-ignore
    else {
      yield note('warning', 'prompts_left_out', message, 'Raise maxLength, or lower maxCompletion.', { field: 'maxLength' })
      if (lengths.exact && !isRefused && left !== null) yield refusalNote(left)
    }
  } else if (lengths.truncated > 0) {
    const share = (100 * lengths.truncated) / rows
    const message = `${isWhole ? '' : 'About '}${lengths.truncated} of ${rows} rows (${share.toFixed(share < 10 ? 1 : 0)} %) are longer than ${maxLength} tokens and are cut off there.`
    yield note('warning', 'truncated', message, 'Raise maxLength, or leave long rows out.', { field: 'maxLength' })
  }
  if (!lengths.exact) yield note('info', 'tokens_estimated', 'Token counts are estimates so far.', null)
}

/** What stands against the models. */
export function* modelNotes(
  request: RunRequest,
  settings: TrainSettings,
  { model, teacher }: Materials,
  facts: ModelFacts,
  teacherFacts: ModelFacts | null,
  longest: number | null,
): Generator<PlanNote> {
  if (facts.problem !== null)
    yield note('refusal', 'base_model', `${model.id} cannot be trained. ${facts.problem}`, 'Choose another base model.', {
      field: 'baseModel',
    })
  const { method } = settings
  const { kind } = method
  if (method.kind === 'lora' && method.targets !== 'all-linear' && facts.problem === null && targetsOf(method, facts.tensors).length === 0)
    yield note('refusal', 'no_targets', `${model.id} has no matrix called ${method.targets.join(' or ')}, so LoRA would train nothing.`, 'Set targets to all-linear, or to names that the model has.', { field: 'method' }) // prettier-ignore
  if (facts.format === 'gguf' && facts.problem === null) {
    const packed = facts.quantization === null ? '' : ` What ${facts.quantization} lost of them stays lost.`
    yield note(
      'info',
      'base_unpacked',
      `The base model is a GGUF: its weights are unpacked for training, at each start anew.${packed}`,
      null,
    )
    if (method.kind === 'lora' && method.quantized)
      yield note('refusal', 'base_unpacked', 'The weights of a GGUF are unpacked for training.', 'Switch `quantized` off.', { field: 'method' }) // prettier-ignore
    if (kind === 'full' && (request.strategy === 'grpo' || request.strategy === 'rlvr') && (settings.beta ?? 0) > 0)
      yield note('refusal', 'base_unpacked', 'beta needs the base model a second time, which a GGUF gives with LoRA only.', 'Set beta to 0, or choose LoRA.', { field: 'beta' }) // prettier-ignore
  }
  if (teacher && teacherFacts?.problem)
    yield note('refusal', 'teacher', `${teacher.id} cannot teach. ${teacherFacts.problem}`, 'Choose another teacher.', { field: 'teacher' })
  if (facts.contextLength === null || settings.maxLength <= facts.contextLength) return
  const isAsked = request.settings.maxLength !== undefined
  if (isAsked || (longest ?? 0) > facts.contextLength)
    yield note(isAsked ? 'refusal' : 'warning', 'context', `${model.id} reads ${facts.contextLength} tokens at most.`, `Lower maxLength to ${facts.contextLength}.`, { field: 'maxLength' }) // prettier-ignore
}

/** Whether there is anything that could train. */
export function* engineNotes(problem: AppError | null): Generator<PlanNote> {
  if (problem) yield note('refusal', 'engine', problem.message, problem.hint ?? null, { field: 'engine' })
}

/** What of the settings does not go together, or not here. */
export function* settingsNotes(
  { strategy }: RunRequest,
  settings: TrainSettings,
  device: ComputeDevice,
  hasSandbox: boolean,
): Generator<PlanNote> {
  const { method } = settings
  if (settings.device === 'cuda' && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', 'No GPU was found.', 'Choose device auto or cpu; nvidia-smi says what is wrong.', { field: 'device' })
  if (method.kind === 'lora' && method.quantized && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', '4-bit base weights need CUDA.', 'Switch `quantized` off.', { field: 'method' })
  if (strategy === 'sft' && settings.packing && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', 'Packing needs attention that keeps rows apart, which is there on CUDA only.', 'Switch packing off; groupByLength saves padding too.', { field: 'packing' }) // prettier-ignore
  yield* [...settingRefusals({ strategy, settings, hasSandbox })].map(refusalNote)
}

interface Place {
  memory: MemoryEstimate | null
  fits: RunPlan['fits']
  device: ComputeDevice
  diskBytes: number | null
  diskFreeBytes: number | null
  /** What would make the run fit into so many bytes. */
  remedy: (freeBytes: number) => Remedy | null
  /** The user wants to start although the memory will not do. */
  isOverridden: boolean
}

/** Whether there is room. */
export function* placeNotes({ memory, fits, device, diskBytes, diskFreeBytes, remedy, isOverridden }: Place): Generator<PlanNote> {
  if (fits === 'no' && memory && device.freeBytes !== null) {
    const message = `About ${gb(memory.total)} of memory are needed, and ${gb(device.freeBytes)} are free.`
    yield note(isOverridden ? 'warning' : 'refusal', 'memory', message, isOverridden ? null : remedyWords(remedy(device.freeBytes), gb))
  } else if (fits === 'tight') yield note('warning', 'memory', 'The memory will be nearly full.', 'Close what you do not need meanwhile.')
  if (diskBytes !== null && diskFreeBytes !== null && diskBytes > diskFreeBytes)
    yield note(
      'refusal',
      'disk',
      `The run will write about ${gb(diskBytes)}, and ${gb(diskFreeBytes)} are free.`,
      'Free some space, or lower keepCheckpoints.',
    )
}
