import { columnUsesText } from '#contracts/entities/dataset.ts'
import type { ComputeDevice, MemoryEstimate, PlanNote, RunPlan, RunRequest } from '#contracts/entities/run.ts'
import type { AppError } from '#contracts/errors.ts'
import { CHATML, MAX_UNWRITTEN, type TrainSettings, type TrainStrategy } from '#contracts/trainer.ts'
import { NO_CALLS } from '#server/stages/factory/index.ts'
import type { ModelFacts } from '../base-models/model-facts.ts'
import { KINDS, type Materials } from '../materials.ts'
import { fitNow } from './memory.ts'
import { targetsOf } from './memory-input.ts'
import { labelNotes } from './label-notes.ts'
import { lengthNotes } from './length-notes.ts'
import { note, refusalNote } from './note.ts'
import { rowRefusal, settingRefusals } from './refusals.ts'
import type { KeepMore } from './keep-more.ts'
import { applyOf, type Remedy, remedyWords } from './remedy.ts'
import type { CheckedRows } from './rows.job.ts'

const sizeText = (bytes: number) => (bytes < 1e8 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`)

/** Problems of the data, and other things to know about them. */
export function dataNotes(
  { strategy }: RunRequest,
  { dataset, mix }: Materials,
  found: CheckedRows,
  settings: TrainSettings,
  keep: KeepMore | null,
): PlanNote[] {
  if (dataset && !KINDS[strategy].includes(dataset.kind)) {
    const message = `${dataset.name} is of kind ${dataset.kind}; ${strategy} needs data of kind ${KINDS[strategy].join(' or ')}.`
    return [note('refusal', 'wrong_kind', message, 'Choose another data set, or another strategy.', { field: 'datasetId' })]
  }
  const { bad, lengths } = found
  if (bad !== null) {
    const placeOfRow = bad.file === 'train' ? `Row ${bad.row}` : `Row ${bad.row} of the validation file`
    return [note('refusal', 'row_invalid', `${placeOfRow}: ${bad.message}.`, 'Fix or remove the row.', { row: bad.row, field: bad.field })]
  }
  if (found.rows === 0) return [note('refusal', 'empty_data', 'There are no rows to train on.', 'Choose data with rows.')]
  const [unwritten, ...templateNotes] = [...renderingNotes(found, settings)]
  if (unwritten?.level === 'refusal') return [unwritten]
  const tooFew = rowRefusal({ strategy, settings }, found.rows, found.labels)
  return [
    ...(tooFew === null ? [] : [refusalNote(tooFew)]),
    ...(unwritten ? [unwritten, ...templateNotes] : []),
    ...(found.val?.rows === 0 ? [validationNote(found.valRows, settings.maxLength, lengths?.leftOut === 0 ? keep : null)] : []),
    ...foreignNotes(found),
    ...(mix.length === 0 ? [] : [note('info', 'mixed', `${mix.length} more ${mix.length === 1 ? 'data set is' : 'data sets are'} mixed in. The run gets a copy of all rows.`, null)]), // prettier-ignore
    ...(lengths === null ? [] : lengthNotes({ strategy, settings }, found, lengths, { isRefused: tooFew !== null, keep })),
    ...labelNotes({ strategy, settings }, lengths),
    ...overlapNotes(found),
    ...answerNotes(strategy, found, settings),
  ]
}

/** How the chat template renders the rows. */
function* renderingNotes({ rendering, rows }: CheckedRows, settings: TrainSettings): Generator<PlanNote> {
  const { measured, unwritten } = rendering
  const count = unwritten.reduce((sum, one) => sum + one.rows, 0)
  const about = measured < rows ? 'Of the rows measured so far, ' : ''
  const [first] = unwritten
  if (first) {
    const reasons = unwritten.slice(0, 3).map((one) => `${one.rows} times: ${one.reason}`).join(' ') // prettier-ignore
    const words = `${about}${count} of ${measured} rows cannot be written with this chat template.`
    const canBeGiven = settings.template === null && unwritten.some(({ reason }) => reason === NO_CALLS)
    const hint = canBeGiven
      ? 'Write calls as Hermes/ChatML: the model learns this format from your rows alone, so it takes more of them until its calls are well formed. Or choose a base model that knows tools.'
      : 'Choose a base model or a training template that writes these rows, or remove them.'
    const isRefused = count > MAX_UNWRITTEN * measured
    const message = `${words} ${isRefused ? `${reasons} Row ${first.firstRow}: ${first.message}` : `They are left out. ${reasons}`}`
    yield note(isRefused ? 'refusal' : 'warning', 'template_refused', message, hint, {
      row: first.firstRow,
      ...(canBeGiven && { apply: { template: CHATML } }),
    })
  }
  const of = (affectedRows: number) => `${about}${affectedRows} of ${measured} rows`
  if (rendering.calls > 0) yield note('info', 'calls_parted', `${of(rendering.calls)} have several calls at once, which are written one after another: this chat template takes one at a time.`, null) // prettier-ignore
  if (rendering.system > 0) yield note('info', 'system_moved', `${of(rendering.system)} have their system prompt in the first prompt: this chat template has no system role.`, null) // prettier-ignore
  if (rendering.apart > 0) yield note('info', 'texts_apart', `${of(rendering.apart)} have the text beside their calls as a message of its own, as context: this chat template writes calls alone.`, null) // prettier-ignore
  if (rendering.texts > 0) yield note('warning', 'texts_left_out', `${of(rendering.texts)} lose the text beside their calls: this chat template leaves it out or moves it.`, null) // prettier-ignore
  if (rendering.answers > 0) yield note('info', 'answers_alone', `${of(rendering.answers)} become one row per answer: this chat template changes earlier turns.`, null) // prettier-ignore
}

const validationNote = (rows: number, maxLength: number, keep: KeepMore | null): PlanNote =>
  note('warning', 'validation_left_out', `No validation row (of ${rows}) can be used within ${maxLength} tokens, so the run is not evaluated.`, keep?.hint ?? null, { field: 'maxLength', apply: keep?.apply ?? null }) // prettier-ignore

/** Notes on generated answers: held-out calls and the teacher. */
function* answerNotes(strategy: TrainStrategy, found: CheckedRows, settings: TrainSettings): Generator<PlanNote> {
  const isRewarded = strategy === 'grpo' || strategy === 'rlvr'
  if (!isRewarded && settings.bestBy === 'next_call' && (found.valRows === 0 || settings.evalSteps === null || settings.nextCalls === 0))
    yield note('warning', 'best_by_loss', 'Held-out calls will not be measured, so they cannot say which step is best.', 'Add validation rows, and set evaluations and held-out calls above 0.', { field: 'bestBy' }) // prettier-ignore
  if (strategy === 'distillation' && settings.distill === 'text')
    yield note('info', 'teacher_turns', `The teacher answers ${found.answers} turns of ${found.rows} rows before training, in at most ${settings.teacherTokens} tokens each. Answers that do not end by then, and calls that cannot be read or that name a tool missing from the row, are left out and counted.`, null, { field: 'teacherTokens' }) // prettier-ignore
}

/** Rows that are both trained on and held out: what they measure is memory. */
function* overlapNotes({ overlap: { rows, isSame }, valRows }: CheckedRows): Generator<PlanNote> {
  if (rows === 0) return
  const message = isSame
    ? 'The validation rows are the rows to train on, so the run would measure what it memorised.'
    : `${rows} of ${valRows} validation rows are also trained on, so the run measures what it memorised of them.`
  const hint = isSame ? 'Choose other rows for validation, or none.' : 'Remove them from one of the files.'
  yield note(isSame ? 'refusal' : 'warning', 'validation_trained', message, hint, { field: 'valFile' })
}

function* foreignNotes({ foreign, columnUses }: CheckedRows): Generator<PlanNote> {
  if (foreign > 0)
    yield note('info', 'rows_converted', `${foreign} ${foreign === 1 ? 'row has' : 'rows have'} another program's format. The run gets a copy in the trainer's format.`, null) // prettier-ignore
  if (columnUses.length > 0) yield note('info', 'columns_read', columnUsesText(columnUses), null)
}

/** Problems of the models. */
export function* modelNotes(
  request: RunRequest,
  settings: TrainSettings,
  { model, teacher }: Materials,
  facts: ModelFacts,
  teacherFacts: ModelFacts | null,
): Generator<PlanNote> {
  if (facts.problem !== null)
    yield note('refusal', 'base_model', `${model.id} cannot be trained. ${facts.problem}`, 'Choose another base model.', {
      field: 'baseModel',
    })
  if (facts.template === null && settings.template === null && facts.problem === null)
    yield note('info', 'template_given', `${model.id} has no chat template, so it gets a plain one with tools (ChatML), which is saved with the model.`, 'A chat template can be given with the settings.', { field: 'template' }) // prettier-ignore
  const { method } = settings
  const { kind } = method
  if (method.kind === 'lora' && method.targets !== 'all-linear' && facts.problem === null && targetsOf(method, facts.tensors).length === 0)
    yield note('refusal', 'no_targets', `${model.id} has no module named ${method.targets.join(' or ')}, so LoRA would train nothing.`, 'Set the targets to all-linear, or to names that the model has.', { field: 'method' }) // prettier-ignore
  if (facts.format === 'gguf' && facts.problem === null) {
    const packed = facts.quantization === null ? '' : ` Precision lost by ${facts.quantization} is not recovered.`
    yield note('info', 'base_unpacked', `The base model is a GGUF; its weights are unpacked at each start.${packed}`, null)
    if (settings.backend === 'unsloth')
      yield note('refusal', 'base_unpacked', 'Unsloth cannot train a GGUF file here.', 'Choose transformers as the backend, or a model folder.', { field: 'backend', apply: { backend: 'transformers' } }) // prettier-ignore
    if (method.kind === 'lora' && method.quantized)
      yield note('refusal', 'base_unpacked', 'GGUF weights are unpacked for training, so 4-bit base weights cannot be used.', 'Turn off 4-bit base weights.', { field: 'method', apply: { 'method.quantized': false } }) // prettier-ignore
    if (kind === 'full' && (request.strategy === 'grpo' || request.strategy === 'rlvr') && (settings.beta ?? 0) > 0)
      yield note('refusal', 'base_unpacked', 'Beta needs a second copy of the base model, which a GGUF provides only with LoRA.', 'Set beta to 0, or choose LoRA.', { field: 'beta', apply: { beta: 0 } }) // prettier-ignore
  }
  if (teacher && teacherFacts?.problem)
    yield note('refusal', 'teacher', `${teacher.id} cannot be the teacher. ${teacherFacts.problem}`, 'Choose another teacher.', {
      field: 'teacher',
    })
  if (facts.contextLength === null || settings.maxLength <= facts.contextLength) return
  const { contextLength } = facts
  yield note('refusal', 'context', `${model.id} supports at most ${contextLength} tokens.`, `Set the max length to ${contextLength}.`, { field: 'maxLength', apply: { maxLength: contextLength } }) // prettier-ignore
}

export function* engineNotes(problem: AppError | null): Generator<PlanNote> {
  if (problem) yield note('refusal', 'engine', problem.message, problem.hint ?? null, { field: 'engine' })
}

/** Settings that contradict each other, or that this machine does not support. */
export function* settingsNotes(
  { strategy }: RunRequest,
  settings: TrainSettings,
  device: ComputeDevice,
  capacity: { hasSandbox: boolean; sandboxLimit: number | null },
): Generator<PlanNote> {
  const { method } = settings
  if (settings.device === 'cuda' && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', 'No GPU was found.', 'Set the device to auto or cpu; run nvidia-smi to see what is wrong.', {
      field: 'device',
      apply: { device: 'auto' },
    })
  if (method.kind === 'lora' && method.quantized && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', '4-bit base weights need CUDA.', 'Turn off 4-bit base weights.', {
      field: 'method',
      apply: { 'method.quantized': false },
    })
  if (method.kind === 'full' && method.weights === 'bf16' && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', 'Training all weights in bf16 needs CUDA.', 'Train them in fp32.', { field: 'method' })
  if (strategy === 'sft' && settings.packing && device.kind !== 'cuda')
    yield note('refusal', 'no_cuda', 'Packing needs attention that separates rows, which is available only on CUDA.', 'Turn off packing; grouping by length also reduces padding.', { field: 'packing', apply: { packing: false } }) // prettier-ignore
  if (settings.reportTo.wandb)
    yield note('info', 'reports', 'Weights & Biases is sent the curves, settings and paths of this run.', 'Turn it off under Reports.', { field: 'reportTo.wandb' }) // prettier-ignore
  yield* [...settingRefusals({ strategy, settings, ...capacity })].map(refusalNote)
}

interface Resources {
  memory: MemoryEstimate | null
  fits: RunPlan['fits']
  device: ComputeDevice
  diskBytes: number | null
  diskFreeBytes: number | null
  /** A change of settings that makes the run fit into this many bytes. */
  remedy: (freeBytes: number) => Remedy | null
  /** The user chose to start despite too little memory. */
  isOverridden: boolean
}

/** Whether memory and disk have enough space. */
export function* resourceNotes({ memory, fits, device, diskBytes, diskFreeBytes, remedy, isOverridden }: Resources): Generator<PlanNote> {
  const isBusy = fits !== 'no' && fitNow(memory, device) === 'no'
  const available = fits === 'no' ? (device.totalBytes ?? device.freeBytes) : device.freeBytes
  if (memory && available !== null && (fits === 'no' || isBusy)) {
    const message = `About ${sizeText(memory.total)} of memory is needed, but ${fits === 'no' ? `this machine has ${sizeText(available)}` : `only ${sizeText(available)} is free now`}.`
    const change = isOverridden ? null : remedy(device.freeBytes ?? available)
    const hint = isOverridden ? null : `${isBusy ? 'Close other programs. Or: ' : ''}${remedyWords(change, sizeText)}`
    yield note(isOverridden ? 'warning' : 'refusal', 'memory', message, hint, { apply: change && applyOf(change) })
  } else if (fits === 'tight') yield note('warning', 'memory', 'Memory will be nearly full.', 'Close other programs during the run.')
  if (diskBytes !== null && diskFreeBytes !== null && diskBytes > diskFreeBytes)
    yield note(
      'refusal',
      'disk',
      `The run will write about ${sizeText(diskBytes)}, but only ${sizeText(diskFreeBytes)} is free.`,
      'Free up disk space, or keep fewer checkpoints.',
    )
}
