import { z } from 'zod'
import { notAPlace } from './places.ts'

/**
 * Settings of the training libraries, under the libraries' own names (`use_dora` is `useDora`). They are declared only here:
 * the form uses the titles and descriptions, `bashgym train --set` uses the names, and the trainers use the schema.
 */
const text = (title: string, description: string) => ({ title, description })
const off = (title: string, description: string) => z.boolean().default(false).meta(text(title, description))
const Names = z
  .array(notAPlace(z.string().min(1).max(200), 'names of modules or parameters'))
  .max(100)
  .default([])

/** Settings of a LoRA adapter other than its size. */
export const LoraKnobs = {
  useRslora: off('Rank-stabilised LoRA', 'Scales the adapter by the square root of its rank; for ranks of 64 and more.'),
  useDora: off('DoRA', 'Learns the magnitude and direction of weights separately: often better, but slower.'),
  modulesToSave: Names.meta(text('Modules to save', 'Modules to train in full in addition to the adapter, such as lm_head.')),
  targetParameters: Names.meta(text('Target parameters', 'Names of parameters that also get an adapter, such as those of experts.')),
}

export const Optim = z.enum([
  'adamw_torch_fused',
  'adamw_torch',
  'adamw_8bit',
  'paged_adamw_8bit',
  'paged_adamw_32bit',
  'adamw_torch_8bit',
  'adamw_torch_4bit',
  'adafactor',
  'lion_8bit',
  'schedule_free_adamw',
])
export type Optim = z.infer<typeof Optim>

export const Schedule = z.enum(['cosine', 'linear', 'constant', 'constant_with_warmup', 'cosine_with_min_lr', 'warmup_stable_decay'])

/** Programs that can receive the metrics of a run. Each is off by default, and API keys come only from the environment. */
export const Reporter = z.enum(['tensorboard', 'trackio', 'wandb', 'mlflow'])
export type Reporter = z.infer<typeof Reporter>
export const ReportTo = z.strictObject({
  tensorboard: off('TensorBoard', 'Writes curves to the folder of the run.'),
  trackio: off('Trackio', 'Writes curves to the folder of the run.'),
  wandb: off('Weights & Biases', 'Sends curves, settings and paths to WANDB_BASE_URL or wandb.ai; the key is WANDB_API_KEY.'),
  mlflow: off('MLflow', 'Sends curves and settings to MLFLOW_TRACKING_URI; without it they stay in the folder of the run.'),
})
export type ReportTo = z.infer<typeof ReportTo>

/** What GRPO and RLVR optimise. Each objective is a set of values that belong together. */
export const Objective = z.enum(['dapo', 'grpo', 'gspo', 'dr_grpo'])
export type Objective = z.infer<typeof Objective>
const GrpoLoss = z.enum(['dapo', 'grpo', 'dr_grpo', 'bnpo', 'cispo', 'sapo'])
const RewardScale = z.enum(['group', 'batch', 'none'])
const RatioOf = z.enum(['token', 'sequence'])
export interface ObjectiveValues {
  grpoLossType: z.infer<typeof GrpoLoss>
  epsilon: number
  /** Null: epsilon. */
  epsilonHigh: number | null
  scaleRewards: z.infer<typeof RewardScale>
  importanceSamplingLevel: z.infer<typeof RatioOf>
}
export const OBJECTIVES: Readonly<Record<Objective, ObjectiveValues>> = {
  dapo: { grpoLossType: 'dapo', epsilon: 0.2, epsilonHigh: 0.28, scaleRewards: 'group', importanceSamplingLevel: 'token' },
  grpo: { grpoLossType: 'grpo', epsilon: 0.2, epsilonHigh: null, scaleRewards: 'group', importanceSamplingLevel: 'token' },
  gspo: { grpoLossType: 'grpo', epsilon: 3e-4, epsilonHigh: 4e-4, scaleRewards: 'group', importanceSamplingLevel: 'sequence' },
  dr_grpo: { grpoLossType: 'dr_grpo', epsilon: 0.2, epsilonHigh: null, scaleRewards: 'none', importanceSamplingLevel: 'token' },
}
/** Upper epsilon of a loss that replaces that of the objective; of the others it is epsilon. */
const LOSS_EPSILON_HIGH: Readonly<Partial<Record<ObjectiveValues['grpoLossType'], number>>> = { dapo: 0.28, cispo: 5 }
/** What the trainers read with the schema. */
export const OBJECTIVE_TABLES = { objectives: OBJECTIVES, lossEpsilonHigh: LOSS_EPSILON_HIGH }

/** The values of the objective, replaced by those that are set themselves. */
export function objectiveOf(
  settings: { objective: Objective } & { [Name in keyof ObjectiveValues]: ObjectiveValues[Name] | null },
): ObjectiveValues {
  const own = OBJECTIVES[settings.objective]
  const grpoLossType = settings.grpoLossType ?? own.grpoLossType
  const isOwnLoss = grpoLossType === own.grpoLossType
  return {
    grpoLossType,
    epsilon: settings.epsilon ?? (isOwnLoss ? own.epsilon : 0.2),
    epsilonHigh: settings.epsilonHigh ?? (isOwnLoss ? own.epsilonHigh : (LOSS_EPSILON_HIGH[grpoLossType] ?? null)),
    scaleRewards: settings.scaleRewards ?? own.scaleRewards,
    importanceSamplingLevel: settings.importanceSamplingLevel ?? own.importanceSamplingLevel,
  }
}

export const Knobs = {
  backend: z
    .enum(['transformers', 'unsloth'])
    .default('transformers')
    .meta(
      text('Backend', 'Unsloth has its own kernels. Only for SFT with LoRA on one GPU; it must be installed in the Python for training.'),
    ),
  optim: Optim.default('adamw_torch_fused').meta(
    text('Optimiser', '8-bit and paged optimisers save memory. They need CUDA and bitsandbytes, or torchao for torch_8bit and torch_4bit.'),
  ),
  adamBeta1: z.number().min(0).max(0.9999).default(0.9).meta(text('Adam beta 1', 'How strongly the average of earlier gradients counts.')),
  adamBeta2: z
    .number()
    .min(0)
    .max(0.99999)
    .default(0.999)
    .meta(text('Adam beta 2', 'How strongly the average of earlier squared gradients counts; 0.95 for large batches.')),
  warmupRatio: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.03)
    .meta(text('Warm-up ratio', 'Share of all steps during which the learning rate rises. Ignored if warm-up steps are set.')),
  minLrRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta(text('Minimum rate', 'Final learning rate of cosine_with_min_lr and warmup_stable_decay, as a share of the highest.')),
  decayRatio: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .meta(text('Decay ratio', 'Share of all steps, at the end, during which warmup_stable_decay lowers the learning rate.')),
  neftuneNoiseAlpha: z
    .number()
    .positive()
    .max(100)
    .nullable()
    .default(null)
    .meta(text('NEFTune noise', 'Noise added to the embeddings during training; 5 is usual. It can help with few rows.')),
  lastTurnOnly: off('Last turn only', 'Only answers after the last user message carry loss.'),
  rowWeights: off('Row weights', 'The column `weight` says how often a row occurs in an epoch; 0 leaves it out.'),
  paddingFree: off(
    'Without padding',
    'Joins the rows of a step end to end instead of padding them. Needs CUDA and attention that separates rows.',
  ),
  useLigerKernel: off('Liger kernels', 'Faster kernels that need less memory; needs liger-kernel and CUDA.'),
  sftLossType: z
    .enum(['nll', 'dft'])
    .default('nll')
    .meta(text('Loss', 'nll is the usual loss; dft weights each token by its own probability.')),
  activationCheckpointing: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .meta(
      text(
        'Activation checkpointing',
        'Recomputes activations instead of storing them: half the memory, a sixth slower. Automatic: on for GPUs.',
      ),
    ),
  activationOffloading: off('Activation offloading', 'Stores activations in main memory instead of GPU memory; needs CUDA.'),
  attnImplementation: z
    .enum(['sdpa', 'eager', 'flash_attention_2', 'flash_attention_3'])
    .default('sdpa')
    .meta(text('Attention', 'Flash attention is faster on long rows; it needs flash-attn and CUDA.')),
  dpoLossType: z
    .array(z.enum(['sigmoid', 'hinge', 'ipo', 'robust', 'apo_zero', 'apo_down', 'sigmoid_norm', 'sft']))
    .min(1)
    .max(4)
    .default(['sigmoid'])
    .meta(text('Loss', 'sigmoid, hinge, ipo, robust, apo_zero, apo_down, sigmoid_norm, sft. Several are combined by their weights.')),
  lossWeights: z
    .array(z.number().min(0).max(1000))
    .max(4)
    .default([])
    .meta(text('Loss weights', 'A number for each loss, such as 1, 0.2. Empty: all have the same weight.')),
  labelSmoothing: z
    .number()
    .min(0)
    .max(0.499)
    .default(0)
    .meta(text('Label smoothing', 'Share of pairs whose better and worse answer may be swapped; used by the robust loss.')),
  ldAlpha: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .meta(text('Length desensitisation', 'Weight of the part of the longer answer that exceeds the length of the shorter one.')),
  precomputeRefLogProbs: off(
    'Precompute the reference',
    'Computes the probabilities by the base model for all rows before the first step, to need less memory later.',
  ),
  disableDropout: z.boolean().default(true).meta(text('Disable dropout', 'Turns off the dropout of the model during training.')),
  ktoLossType: z
    .enum(['kto', 'apo_zero_unpaired'])
    .default('kto')
    .meta(text('Loss', 'apo_zero_unpaired compares with the base model instead of with other rows.')),
  desirableWeight: z.number().min(0).max(1000).default(1).meta(text('Weight of wanted rows', 'Raise it if there are few wanted rows.')),
  undesirableWeight: z
    .number()
    .min(0)
    .max(1000)
    .default(1)
    .meta(text('Weight of unwanted rows', 'Raise it if there are few unwanted rows.')),
  objective: Objective.default('dapo').meta(
    text(
      'Objective',
      'Sets loss, clipping, reward scaling and ratio together. dapo: every token counts the same. grpo: every answer does. gspo: one ratio for a whole answer, for several iterations. dr_grpo: no division by length or deviation.',
    ),
  ),
  grpoLossType: GrpoLoss.nullable()
    .default(null)
    .meta(text('Loss', 'Replaces the loss of the objective. dapo gives every token the same weight; grpo prefers short answers.')),
  epsilon: z
    .number()
    .positive()
    .max(10)
    .nullable()
    .default(null)
    .meta(text('Epsilon', 'How far a step may lower the probability of a sampled token, as a share; with gspo, of a whole answer.')),
  epsilonHigh: z.number().positive().max(100).nullable().default(null).meta(text('Epsilon, upper', 'How far a step may raise it.')),
  numIterations: z.number().int().min(1).max(100).default(1).meta(text('Iterations', 'Number of steps that use the same answers.')),
  scaleRewards: RewardScale.nullable()
    .default(null)
    .meta(
      text('Reward scaling', 'Divides rewards by their standard deviation among the answers to a prompt, or in the batch, or not at all.'),
    ),
  importanceSamplingLevel: RatioOf.nullable()
    .default(null)
    .meta(text('Importance sampling', 'The ratio of new to old probability: of each token, or of the whole answer.')),
  maskTruncatedCompletions: z
    .boolean()
    .default(false)
    .meta(
      text(
        'Mask truncated answers',
        'Answers that were cut off at the max answer length carry no loss. Then nothing teaches the model to end its answers, and runs can fail for it.',
      ),
    ),
  topP: z
    .number()
    .positive()
    .max(1)
    .default(1)
    .meta(text('Top-p', 'Samples only from the likeliest tokens that together reach this probability.')),
  topK: z
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .meta(text('Top-k', 'Samples only from this many of the likeliest tokens; 0: from all.')),
  minP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .meta(text('Min-p', 'Never samples tokens whose probability is below this share of the highest one.')),
  reportTo: ReportTo.prefault({}).meta(text('Reports', 'Programs that receive the metrics of the run; all are off by default.')),
}

const BITSANDBYTES = { package: 'bitsandbytes', module: 'bitsandbytes', cuda: true }
const TORCHAO = { package: 'torchao', module: 'torchao', cuda: true }
const FLASH = { package: 'flash-attn', module: 'flash_attn', cuda: true }

/** What a setting requires: a package in the training Python, CUDA, or an environment variable. */
export interface KnobNeed {
  /** Path of the setting; `values` lists the values that have this requirement. */
  setting: string
  values: readonly (string | boolean)[]
  package: string | null
  module: string | null
  cuda: boolean
  variable?: string
}
export const KNOB_NEEDS: readonly KnobNeed[] = [
  { setting: 'backend', values: ['unsloth'], package: 'unsloth', module: 'unsloth', cuda: true },
  { setting: 'optim', values: ['adamw_8bit', 'paged_adamw_8bit', 'paged_adamw_32bit', 'lion_8bit'], ...BITSANDBYTES },
  { setting: 'optim', values: ['adamw_torch_8bit', 'adamw_torch_4bit'], ...TORCHAO },
  { setting: 'optim', values: ['schedule_free_adamw'], package: 'schedulefree', module: 'schedulefree', cuda: false },
  { setting: 'attnImplementation', values: ['flash_attention_2'], ...FLASH },
  { setting: 'attnImplementation', values: ['flash_attention_3'], package: 'flash-attn-3', module: 'flash_attn_interface', cuda: true },
  { setting: 'useLigerKernel', values: [true], package: 'liger-kernel', module: 'liger_kernel', cuda: true },
  { setting: 'paddingFree', values: [true], package: null, module: null, cuda: true },
  { setting: 'activationOffloading', values: [true], package: null, module: null, cuda: true },
  { setting: 'reportTo.tensorboard', values: [true], package: 'tensorboard', module: 'tensorboard', cuda: false },
  { setting: 'reportTo.trackio', values: [true], package: 'trackio', module: 'trackio', cuda: false },
  { setting: 'reportTo.wandb', values: [true], package: 'wandb', module: 'wandb', cuda: false, variable: 'WANDB_API_KEY' },
  { setting: 'reportTo.mlflow', values: [true], package: 'mlflow', module: 'mlflow', cuda: false },
]
