import { z } from 'zod'

/**
 * Settings of the training libraries, under the libraries' own names (`use_dora` is `useDora`). They are declared only here:
 * the form uses the titles and descriptions, `bashgym train --set` uses the names, and the trainers use the schema.
 */
const text = (title: string, description: string) => ({ title, description })
const some = (title: string, description: string) => z.boolean().default(false).meta(text(title, description))
const Names = z.array(z.string().min(1).max(200)).max(100).default([])

/** Settings of a LoRA adapter other than its size. */
export const LoraKnobs = {
  useRslora: some('Rank-stabilised LoRA', 'Scales the adapter by the square root of its rank; for ranks of 64 and more.'),
  useDora: some('DoRA', 'Learns the length of each weight apart from its direction: often better, slower.'),
  modulesToSave: Names.meta(text('Modules to save', 'Modules that are trained whole beside the adapter, such as lm_head.')),
  targetParameters: Names.meta(text('Target parameters', 'Parameters that get an adapter by name, such as experts of a mixture.')),
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
  tensorboard: some('TensorBoard', 'Writes curves to the folder of the run.'),
  trackio: some('Trackio', 'Writes curves to the folder of the run.'),
  wandb: some('Weights & Biases', 'Sends curves, settings and paths to WANDB_BASE_URL or wandb.ai; the key is WANDB_API_KEY.'),
  mlflow: some('MLflow', 'Sends curves and settings to MLFLOW_TRACKING_URI; without it they stay in the folder of the run.'),
})
export type ReportTo = z.infer<typeof ReportTo>

export const Knobs = {
  backend: z
    .enum(['transformers', 'unsloth'])
    .default('transformers')
    .meta(text('Backend', 'Unsloth loads and adapts the model by kernels of its own: SFT with LoRA, on one GPU, in a Python that has it.')),
  optim: Optim.default('adamw_torch_fused').meta(
    text('Optimiser', '8-bit and paged ones save memory; they need bitsandbytes and CUDA, the torch_8bit and 4bit ones torchao.'),
  ),
  adamBeta1: z.number().min(0).max(0.9999).default(0.9).meta(text('Adam beta 1', 'Memory of the gradient.')),
  adamBeta2: z.number().min(0).max(0.99999).default(0.999).meta(text('Adam beta 2', 'Memory of its square; 0.95 for large batches.')),
  warmupRatio: z
    .number()
    .min(0)
    .max(0.9)
    .default(0.03)
    .meta(text('Warm-up ratio', 'Share of all steps over which the learning rate rises; where warm-up steps are given, those count.')),
  minLrRate: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta(text('Minimum rate', 'Share of the learning rate that cosine_with_min_lr and warmup_stable_decay end at.')),
  decayRatio: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .meta(text('Decay ratio', 'Share of all steps, at the end, over which warmup_stable_decay falls.')),
  neftuneNoiseAlpha: z
    .number()
    .positive()
    .max(100)
    .nullable()
    .default(null)
    .meta(text('NEFTune noise', 'Noise on the embeddings while training; 5 is usual. It can help with few rows.')),
  lastTurnOnly: some('Last turn only', 'Loss only on what the assistant says after the last user message.'),
  rowWeights: some('Row weights', 'A row comes as often in an epoch as the number in its column weight says; 0 leaves it out.'),
  paddingFree: some('Without padding', 'Rows of a step are laid end to end: no padding; needs attention that separates rows, on CUDA.'),
  useLigerKernel: some('Liger kernels', 'Faster kernels that need less memory; needs liger-kernel and CUDA.'),
  sftLossType: z
    .enum(['nll', 'dft'])
    .default('nll')
    .meta(text('Loss', 'nll is the usual one; dft weighs each token by its own probability.')),
  activationCheckpointing: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .meta(
      text(
        'Activation checkpointing',
        'Computes figures again rather than keep them: half the memory, a sixth slower. Automatic: on a GPU.',
      ),
    ),
  activationOffloading: some('Activation offloading', 'Keeps figures in the memory of the machine rather than the GPU; needs CUDA.'),
  attnImplementation: z
    .enum(['sdpa', 'eager', 'flash_attention_2', 'flash_attention_3'])
    .default('sdpa')
    .meta(text('Attention', 'Flash attention is faster on long rows; it needs flash-attn and CUDA.')),
  dpoLossType: z
    .array(z.enum(['sigmoid', 'hinge', 'ipo', 'robust', 'apo_zero', 'apo_down', 'sigmoid_norm', 'sft']))
    .min(1)
    .max(4)
    .default(['sigmoid'])
    .meta(text('Loss', 'sigmoid, hinge, ipo, robust, apo_zero, apo_down, sigmoid_norm, sft; several are mixed by their weights.')),
  lossWeights: z
    .array(z.number().min(0).max(1000))
    .max(4)
    .default([])
    .meta(text('Loss weights', 'A number for each loss, such as 1, 0.2; none weighs all alike.')),
  labelSmoothing: z
    .number()
    .min(0)
    .max(0.499)
    .default(0)
    .meta(text('Label smoothing', 'Share of pairs that may be the wrong way round; read by the robust loss.')),
  ldAlpha: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .meta(text('Length desensitisation', 'Weight of what the longer answer says beyond the length of the shorter one.')),
  precomputeRefLogProbs: some('Precompute the reference', 'Asks the base model about all rows before the first step: less memory later.'),
  disableDropout: z.boolean().default(true).meta(text('Disable dropout', 'Dropout of the model is off while training.')),
  ktoLossType: z
    .enum(['kto', 'apo_zero_unpaired'])
    .default('kto')
    .meta(text('Loss', 'apo_zero_unpaired compares with the base model rather than with other rows.')),
  desirableWeight: z.number().min(0).max(1000).default(1).meta(text('Weight of wanted rows', 'Raise it where wanted rows are few.')),
  undesirableWeight: z.number().min(0).max(1000).default(1).meta(text('Weight of unwanted rows', 'Raise it where unwanted rows are few.')),
  grpoLossType: z
    .enum(['dapo', 'grpo', 'dr_grpo', 'bnpo', 'cispo', 'sapo'])
    .default('dapo')
    .meta(text('Loss', 'dapo counts every token alike; grpo prefers short answers.')),
  epsilon: z.number().positive().max(10).default(0.2).meta(text('Epsilon', 'How far a step may move the model down from its own answers.')),
  epsilonHigh: z
    .number()
    .positive()
    .max(100)
    .nullable()
    .default(null)
    .meta(text('Epsilon, upper', 'How far it may move up. Not given: 0.28 with dapo, 5 with cispo, else epsilon.')),
  numIterations: z.number().int().min(1).max(100).default(1).meta(text('Iterations', 'Steps that learn from the same answers.')),
  scaleRewards: z
    .enum(['group', 'batch', 'none'])
    .default('group')
    .meta(text('Reward scaling', 'By the spread of the answers to a prompt, of the batch, or not at all.')),
  importanceSamplingLevel: z
    .enum(['token', 'sequence'])
    .default('token')
    .meta(text('Importance sampling', 'By token, or by the whole answer (GSPO).')),
  maskTruncatedCompletions: z
    .boolean()
    .default(true)
    .meta(text('Mask truncated answers', 'Answers that end at the max answer length carry no loss.')),
  topP: z.number().positive().max(1).default(1).meta(text('Top-p', 'Answers are sampled from the likeliest tokens with this probability.')),
  topK: z.number().int().min(0).max(100_000).default(0).meta(text('Top-k', 'Answers are sampled from so many tokens; 0: from all.')),
  minP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .meta(text('Min-p', 'Tokens less likely than this share of the likeliest one are never sampled.')),
  reportTo: ReportTo.prefault({}).meta(text('Reports', 'Others that are told how the run goes; off unless switched on.')),
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
