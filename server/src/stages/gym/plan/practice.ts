import type { PlanNote, RunRequest } from '#contracts/entities/run.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { resolveSettings } from '../settings.ts'
import { note } from './note.ts'
import { generatesAnswers, isEvenlyDivided } from './refusals.ts'
import { stepsOf } from './steps.ts'

const MAX_EPOCHS = 5
const FEW_ROWS = 50
const FEW_STEPS = 30
/** A rate this many times below the default is too low. */
const LOW = 10
const MAX_RATE = { lora: 1e-3, full: 5e-5 }

/** Warnings about settings that often fail or teach little, at most one per field. */
export function* practiceNotes(request: RunRequest, settings: TrainSettings, rows: number): Generator<PlanNote> {
  const { learningRate, epochs, maxSteps, method } = settings
  const defaultRate = resolveSettings({ ...request, settings: { method } }).learningRate
  if (learningRate > MAX_RATE[method.kind])
    yield note('warning', 'high_rate', `A learning rate of ${learningRate} is high for ${method.kind === 'lora' ? 'LoRA' : 'a full fine-tune'}: the loss may diverge.`, `Set the learning rate to ${defaultRate}, the default.`, { field: 'learningRate', apply: { learningRate: defaultRate } }) // prettier-ignore
  if (learningRate <= defaultRate / LOW)
    yield note('warning', 'low_rate', `A learning rate of ${learningRate} is low for ${method.kind === 'lora' ? 'LoRA, which starts from nothing' : 'a full fine-tune'}: the model may learn nothing.`, `Set the learning rate to ${defaultRate}, the default.`, { field: 'learningRate', apply: { learningRate: defaultRate } }) // prettier-ignore
  if (maxSteps === null && epochs > MAX_EPOCHS)
    yield note('warning', 'many_epochs', `In ${epochs} epochs a model memorises the rows.`, `Set the epochs to ${MAX_EPOCHS} or fewer.`, { field: 'epochs', apply: { epochs: MAX_EPOCHS } }) // prettier-ignore
  if (rows === 0 || generatesAnswers({ strategy: request.strategy, settings })) return
  yield* sizeNotes(request, settings, rows)
}

function* sizeNotes({ strategy }: RunRequest, settings: TrainSettings, rows: number): Generator<PlanNote> {
  if (rows < FEW_ROWS)
    yield note('warning', 'few_rows', `${rows === 1 ? 'There is only 1 row' : `There are only ${rows} rows`} to train on, which teaches a model little.`, 'Add sessions to the data set, or treat this run as a trial.') // prettier-ignore
  const { steps } = stepsOf(settings, strategy, rows)
  if (rows < FEW_ROWS || settings.maxSteps !== null || steps >= FEW_STEPS) return
  const smaller = smallerBatch(settings, (batchSize) => stepsOf({ ...settings, batchSize }, strategy, rows).steps >= FEW_STEPS)
  const hint = smaller === null ? 'Add sessions to the data set.' : `Set the batch size to ${smaller} for ${FEW_STEPS} steps or more.`
  yield note('warning', 'few_steps', `The run takes only ${steps} steps.`, hint, {
    field: 'batchSize',
    apply: smaller === null ? null : { batchSize: smaller },
  })
}

/** The largest half, quarter, … of the batch that is small enough and that the micro-batch divides. */
function smallerBatch(settings: TrainSettings, isEnough: (batchSize: number) => boolean): number | null {
  for (let size = Math.floor(settings.batchSize / 2); size >= 1; size = Math.floor(size / 2))
    if (isEvenlyDivided({ ...settings, batchSize: size }) && isEnough(size)) return size
  return null
}
