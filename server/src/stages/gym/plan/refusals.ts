import type { PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'

/** Why a run cannot be trained, and what to change. `field` is the setting at fault. */
export interface Refusal {
  code: string
  message: string
  hint: string
  field: string
  /** Settings that follow the hint. */
  apply?: PlanNote['apply']
}

type RunSettings = { strategy: TrainStrategy; settings: TrainSettings }

/** Whether the model trains on answers that it generates: with rewards, or with a teacher's view of them. `auto` may choose this. */
export const generatesAnswers = ({ strategy, settings }: RunSettings): boolean =>
  isRewarded(strategy) || (strategy === 'distillation' && (settings.distill === 'auto' || settings.distill === 'on-policy'))
const isRewarded = (strategy: TrainStrategy) => strategy === 'grpo' || strategy === 'rlvr'
/** Rows of a step in each process. */
export const rowsPerProcess = ({ batchSize, processes }: Pick<TrainSettings, 'batchSize' | 'processes'>): number =>
  Math.max(1, Math.floor(batchSize / processes))
/** Rows that a process computes at once. */
export const rowsAtOnce = (settings: Pick<TrainSettings, 'microBatch' | 'batchSize' | 'processes'>): number =>
  Math.min(settings.microBatch ?? rowsPerProcess(settings), rowsPerProcess(settings))
/** Whether all processes have the same number of whole micro-batches in a step. */
export const isEvenlyDivided = (settings: Pick<TrainSettings, 'microBatch' | 'batchSize' | 'processes'>): boolean =>
  settings.batchSize % (rowsAtOnce(settings) * settings.processes) === 0

/** Whether rows longer than the max length are split between turns. */
export const splitsRows = ({ strategy, settings }: RunSettings): boolean =>
  strategy === 'sft' || strategy === 'dpo' || strategy === 'kto' || (strategy === 'distillation' && settings.distill === 'logits')

/** Tokens that a prompt may have; null if the limit is for the whole row. */
export const maxPromptTokens = ({ strategy, settings }: RunSettings): number | null =>
  generatesAnswers({ strategy, settings }) ? settings.maxLength - settings.maxCompletion : null

/**
 * Settings that contradict each other. The trainers refuse them in the same words (`bashgym_trainers/refusals.py`), and
 * `server/trainers/tests/refusals.json` tests both.
 */
export function* settingRefusals(run: RunSettings & { hasSandbox: boolean; sandboxLimit: number | null }): Generator<Refusal> {
  const { strategy, settings } = run
  const { batchSize, processes, generations, rewards, maxCompletion, maxLength, beta } = settings
  const micro = rowsAtOnce(settings)
  yield* backendRefusals(run)
  if (strategy === 'distillation' && processes > 1)
    yield { code: 'processes', message: 'Distillation trains in one process, together with its teacher.', hint: 'Set processes to 1.', field: 'processes', apply: { processes: 1 } } // prettier-ignore
  if (processes > 1 && !isEvenlyDivided(settings)) {
    const each = micro * processes
    const whole = each * Math.max(1, Math.round(batchSize / each))
    yield { code: 'batch', message: `Batch size ${batchSize} is not a multiple of ${processes} processes with ${micro} rows at once.`, hint: `Choose ${whole}.`, field: 'batchSize', apply: { batchSize: whole } } // prettier-ignore
  } else if (batchSize % micro !== 0)
    yield { code: 'batch', message: `Batch size ${batchSize} is not a multiple of micro-batch size ${micro}.`, hint: 'Choose a divisor.', field: 'microBatch', apply: { microBatch: divisorBelow(batchSize, micro) } } // prettier-ignore
  if (strategy === 'kto' && micro < 2) {
    const field = batchSize < 2 ? 'batchSize' : 'microBatch'
    yield { code: 'batch', message: `KTO compares the rows of a micro-batch with each other, and the ${field === 'batchSize' ? 'batch size' : 'micro-batch size'} is 1.`, hint: 'Set it to 2 or more.', field, apply: { [field]: 2 } } // prettier-ignore
  }
  if (isRewarded(strategy) && batchSize % generations !== 0) {
    const whole = generations * Math.max(1, Math.round(batchSize / generations))
    yield { code: 'batch', message: `Batch size ${batchSize} is not a multiple of ${generations} answers per prompt: a step needs whole groups.`, hint: `Choose ${whole}.`, field: 'batchSize', apply: { batchSize: whole } } // prettier-ignore
  }
  if (settings.packing && strategy !== 'sft')
    yield { code: 'packing', message: `Packing works only with sft; ${strategy} needs each row separately.`, hint: 'Turn off packing.', field: 'packing', apply: { packing: false } } // prettier-ignore
  const { dpoLossType, lossWeights } = settings
  if (strategy === 'dpo' && lossWeights.length > 0 && lossWeights.length !== dpoLossType.length)
    yield { code: 'loss_weights', message: `There are ${lossWeights.length} loss weights for ${dpoLossType.length} losses.`, hint: 'Give one for each loss, or none.', field: 'lossWeights' } // prettier-ignore
  if (run.sandboxLimit !== null) yield* shellTaskRefusals(run, run.sandboxLimit)
  else if (isRewarded(strategy)) yield* rewardRefusals(strategy, rewards, run.hasSandbox)
  if (generatesAnswers(run) && maxCompletion >= maxLength)
    yield { code: 'no_room', message: `Max answer length ${maxCompletion} leaves no room for a prompt within max length ${maxLength}.`, hint: 'Lower the max answer length, or raise the max length.', field: 'maxCompletion', apply: { maxCompletion: Math.max(1, Math.floor(maxLength / 2)) } } // prettier-ignore
  if (strategy === 'distillation' && settings.distill !== 'text' && (beta ?? 0) > 1)
    yield { code: 'beta', message: `Beta ${beta} is above 1, the maximum for distillation.`, hint: 'Choose a value from 0 to 1.', field: 'beta', apply: { beta: 0.5 } } // prettier-ignore
}

function* backendRefusals({ strategy, settings }: RunSettings): Generator<Refusal> {
  const { backend, method, packing, paddingFree, attnImplementation, processes } = settings
  if (backend !== 'unsloth') return
  const unsupported: readonly (readonly [name: string, isSet: boolean])[] = [
    [strategy, strategy !== 'sft'],
    ['training all weights', method.kind === 'full'],
    ['DoRA', method.kind === 'lora' && method.useDora],
    ['target parameters', method.kind === 'lora' && method.targetParameters.length > 0],
    ['packing', packing || paddingFree],
    ['another attention', attnImplementation !== 'sdpa'],
    ['several processes', processes > 1],
  ]
  const unsupportedNames = unsupported.filter(([, isSet]) => isSet).map(([name]) => name)
  if (unsupportedNames.length > 0)
    yield { code: 'backend', message: `Unsloth is used here for SFT with LoRA in one process, without ${unsupportedNames.join(', ')}.`, hint: 'Choose transformers as the backend.', field: 'backend', apply: { backend: 'transformers' } } // prettier-ignore
}

/** Refusals of shell tasks. `places`: sandboxes that may run at a time. */
function* shellTaskRefusals(
  { strategy, settings: { rewards, batchSize, generations } }: RunSettings,
  sandboxLimit: number,
): Generator<Refusal> {
  if (strategy !== 'grpo')
    yield { code: 'shell_tasks', message: 'Shell tasks can be trained only with grpo, because their environment gives the reward.', hint: 'Choose grpo.', field: 'strategy' } // prettier-ignore
  if (rewards.length > 0)
    yield { code: 'shell_tasks', message: 'With shell tasks, the reward comes from their environment.', hint: 'Remove the other rewards.', field: 'rewards' } // prettier-ignore
  if (batchSize > sandboxLimit) {
    const largestBatchSize = Math.floor(sandboxLimit / generations) * generations
    yield {
      code: 'too_few_places',
      message: `A step plays ${batchSize} episodes at once, and ${sandboxLimit} ${sandboxLimit === 1 ? 'sandbox' : 'sandboxes'} may run at a time.`,
      hint: `Raise the setting arena.running to ${batchSize}, or lower the batch size.`,
      field: 'batchSize',
      ...(largestBatchSize > 0 && { apply: { batchSize: largestBatchSize } }),
    }
  }
}

function* rewardRefusals(strategy: TrainStrategy, rewards: TrainSettings['rewards'], hasSandbox: boolean): Generator<Refusal> {
  const field = 'rewards'
  if (!rewards.some(({ weight }) => weight > 0))
    yield { code: 'no_reward', message: 'Without a reward there is nothing to learn from.', hint: 'Choose at least one with a weight above 0.', field } // prettier-ignore
  const names = rewards.map((reward) => (reward.kind === 'tool_call' && reward.level === 'name' ? 'tool_call_name' : reward.kind))
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    yield { code: 'reward_twice', message: `The reward ${twice} is selected twice.`, hint: 'Keep only one of them.', field }
  if (strategy === 'rlvr' && rewards.some(({ kind }) => kind === 'format'))
    yield { code: 'no_verifier', message: 'RLVR needs verifiable rewards, and format is not one.', hint: 'Remove format, or choose GRPO.', field } // prettier-ignore
  if (!hasSandbox && rewards.some(({ kind }) => kind === 'tests'))
    yield { code: 'no_sandbox', message: 'The tests reward runs code that a model wrote, and no sandbox is available.', hint: 'Choose another reward.', field } // prettier-ignore
}

/** Refuses too few rows, and rows with only one label. `labels`: the different labels in the rows. */
export function rowRefusal(run: RunSettings, rows: number, labels: readonly boolean[]): Refusal | null {
  if (run.strategy === 'kto' && labels.length === 1) {
    const [wanted] = labels
    return { code: 'one_label', message: `All rows are ${wanted ? 'wanted' : 'unwanted'}; KTO needs both kinds.`, hint: `Add rows with the label ${!wanted}.`, field: 'label' } // prettier-ignore
  }
  const { strategy, settings } = run
  const { batchSize } = settings
  const answers = isRewarded(strategy) ? settings.generations : 1
  if (!generatesAnswers(run) || rows * answers >= batchSize) return null
  const prompts = Math.floor(batchSize / answers)
  const each = answers > 1 ? ` with ${answers} answers each` : ''
  const size = largestBatch(settings, rows, answers)
  const lower = size === null ? 'Lower the batch size and the micro-batch size' : `Lower the batch size to ${size}`
  return {
    code: 'too_few_rows',
    message: `A step takes ${prompts} ${prompts === 1 ? 'prompt' : 'prompts'} (batch size ${batchSize}${each}), but there ${rows === 1 ? 'is' : 'are'} only ${rows}.`,
    hint: `${lower}, or add rows${strategy === 'distillation' ? ', or set the teacher signal to text' : ''}.`,
    field: 'batchSize',
    ...(size !== null && { apply: { batchSize: size } }),
  }
}

const divisorBelow = (whole: number, most: number): number => {
  let size = most
  while (whole % size !== 0) size -= 1
  return size
}

/** The largest batch that these rows fill and that the micro-batch divides. */
function largestBatch(settings: TrainSettings, rows: number, answers: number): number | null {
  const micro = rowsAtOnce(settings)
  for (let count = rows; count > 0; count -= 1) {
    const size = count * answers
    if (size % Math.min(micro, size) === 0) return size
  }
  return null
}
