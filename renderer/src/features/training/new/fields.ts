import type { TrainStrategy } from '#contracts/trainer.ts'
import { knob } from './knobs.ts'
import type { SettingField } from './setting-field.ts'

interface FieldGroup {
  title: string
  fields: readonly SettingField[]
}

const number = (path: string, label: string, meaning: string, more: Partial<SettingField> = {}): SettingField => ({ path, label, meaning, kind: 'number', ...more }) // prettier-ignore
const SFT = ['sft'] as const
const DPO = ['dpo'] as const
const KTO = ['kto'] as const
const GROUPED = ['grpo', 'rlvr'] as const
/** What is followed by held-out calls rather than by rewards. */
const CALLING = ['sft', 'dpo', 'kto', 'distillation'] as const
const PLAYED = ['grpo'] as const
const GENERATING = ['grpo', 'rlvr', 'distillation'] as const

/** What matters most often, always in view. */
export const BASIC: readonly SettingField[] = [
  {
    path: 'method.kind',
    label: 'Method',
    meaning: 'LoRA trains a small adapter and needs far less memory; a full fine-tune changes every weight.',
    kind: 'choice',
    options: [
      { value: 'lora', label: 'LoRA adapter' },
      { value: 'full', label: 'Full fine-tune' },
    ],
  },
  number('learningRate', 'Learning rate', 'Step size. Too high diverges; too low learns nothing.'),
  number('epochs', 'Epochs', 'Passes over all rows.'),
  number('batchSize', 'Batch size', 'Rows per optimiser step.'),
  number('maxLength', 'Max length', 'Tokens per row. Longer rows are split between answers.'),
]

/** The rest, folded. */
export const GROUPS: readonly FieldGroup[] = [
  {
    title: 'LoRA adapter',
    fields: [
      number('method.rank', 'Rank', 'Size of the adapter. Higher learns more and needs more memory.'),
      number('method.alpha', 'Alpha', 'Scale of the adapter relative to the model; typically twice the rank.'),
      number('method.dropout', 'Dropout', 'Share of the adapter dropped at random; with 0, resumed runs are bit-identical.'),
      {
        path: 'method.quantized',
        label: '4-bit base weights',
        meaning: 'QLoRA: a quarter of the memory for the base model; needs CUDA.',
        kind: 'switch',
      },
      knob('method.useRslora'),
      knob('method.useDora'),
      knob('method.modulesToSave'),
      knob('method.targetParameters'),
    ],
  },
  {
    title: 'Optimisation',
    fields: [knob('optim'), knob('adamBeta1'), knob('adamBeta2')],
  },
  {
    title: 'Memory and speed',
    fields: [
      knob('activationCheckpointing'),
      knob('activationOffloading', { strategies: ['sft', 'dpo', 'kto'] }),
      knob('attnImplementation'),
      knob('paddingFree', { strategies: SFT }),
      knob('useLigerKernel', { strategies: SFT }),
    ],
  },
  {
    title: 'Steps',
    fields: [
      number('maxSteps', 'Max steps', 'Stops before all epochs are done.', { none: 'by epochs' }),
      number('microBatch', 'Micro-batch size', 'Processes a batch in smaller parts: less memory, same result.', { none: 'whole batch' }),
      number('warmupSteps', 'Warm-up steps', 'The learning rate rises from 0 over these steps.', { none: 'by ratio' }),
      knob('warmupRatio'),
      {
        path: 'schedule',
        label: 'Schedule',
        meaning: 'How the learning rate changes after warm-up.',
        kind: 'choice',
        options: [
          { value: 'cosine', label: 'Cosine' },
          { value: 'linear', label: 'Linear' },
          { value: 'constant', label: 'Constant' },
          { value: 'constant_with_warmup', label: 'Constant with warm-up' },
          { value: 'cosine_with_min_lr', label: 'Cosine to a least rate' },
          { value: 'warmup_stable_decay', label: 'Warm up, hold, decay' },
        ],
      },
      knob('minLrRate'),
      knob('decayRatio'),
      number('weightDecay', 'Weight decay', 'Pulls weights towards 0.'),
      number('maxGradNorm', 'Gradient clipping', 'Gradients with a larger norm are scaled down to this.'),
      {
        path: 'packing',
        label: 'Packing',
        meaning: 'Packs short rows into one sequence without attention between them; needs CUDA.',
        kind: 'switch',
        strategies: ['sft'],
      },
      {
        path: 'groupByLength',
        label: 'Group by length',
        meaning: 'Batches rows of similar length together: less padding.',
        kind: 'switch',
      },
      number('seed', 'Seed', 'The same seed and inputs give the same first losses.'),
    ],
  },
  {
    title: 'Strategy',
    fields: [
      knob('sftLossType', { strategies: SFT }),
      knob('lastTurnOnly', { strategies: SFT }),
      knob('rowWeights'),
      knob('neftuneNoiseAlpha', { none: 'off' }),
      knob('dpoLossType', { strategies: DPO }),
      knob('lossWeights', { strategies: DPO }),
      knob('labelSmoothing', { strategies: DPO }),
      knob('ldAlpha', { strategies: DPO, none: 'off' }),
      knob('ktoLossType', { strategies: KTO }),
      knob('desirableWeight', { strategies: KTO }),
      knob('undesirableWeight', { strategies: KTO }),
      knob('precomputeRefLogProbs', { strategies: ['dpo', 'kto'] }),
      knob('disableDropout', { strategies: ['dpo', 'kto'] }),
      knob('grpoLossType', { strategies: GROUPED }),
      knob('epsilon', { strategies: GROUPED }),
      knob('epsilonHigh', { strategies: GROUPED, none: 'by loss' }),
      knob('numIterations', { strategies: GROUPED }),
      knob('scaleRewards', { strategies: GROUPED }),
      knob('importanceSamplingLevel', { strategies: GROUPED }),
      knob('maskTruncatedCompletions', { strategies: GROUPED }),
      knob('topP', { strategies: GROUPED }),
      knob('topK', { strategies: GROUPED }),
      knob('minP', { strategies: GROUPED, none: 'off' }),
      number('beta', 'Beta', 'How closely the model stays to the base model.', {
        strategies: ['dpo', 'kto', 'grpo', 'rlvr'],
        none: 'strategy default',
      }),
      number('generations', 'Answers per prompt', 'Compared with each other; more give a steadier signal.', { strategies: GROUPED }),
      number('maxCompletion', 'Max answer length', 'In tokens; of shell tasks that of a whole episode, outputs included.', {
        strategies: GENERATING,
      }),
      number('maxTurns', 'Turns of an episode', 'Commands that an attempt at a shell task may take.', { strategies: PLAYED }),
      number('turnTokens', 'Max command length', 'In tokens; an attempt at a shell task with a longer one is left out.', {
        strategies: PLAYED,
      }),
      number('temperature', 'Temperature', 'Randomness of sampled answers.', { strategies: GENERATING }),
      number(
        'teacherTokens',
        'Teacher answer length',
        'Tokens an answer of the teacher may take; longer ones are left out. Text signal only.',
        {
          strategies: ['distillation'],
        },
      ),
      {
        path: 'distill',
        label: 'Teacher signal',
        meaning: 'The teacher’s probabilities on the student’s answers need the same tokenizer; its text does not.',
        kind: 'choice',
        strategies: ['distillation'],
        options: [
          { value: 'auto', label: 'Automatic' },
          { value: 'on-policy', label: 'On-policy' },
          { value: 'logits', label: 'Logits' },
          { value: 'text', label: 'Text' },
        ],
      },
    ],
  },
  {
    title: 'Logging and saving',
    fields: [
      number('loggingSteps', 'Log every', 'Steps between points on a curve.'),
      number('evalSteps', 'Evaluate every', 'Steps; needs validation rows.', { none: 'never' }),
      number('saveSteps', 'Save every', 'Steps between checkpoints; pausing also saves one.', { none: 'never' }),
      number('keepCheckpoints', 'Checkpoints kept', 'Older ones are removed.'),
      number('samples', 'Sample prompts', 'Answered at each evaluation, for comparison side by side.'),
      number(
        'heldoutTasks',
        'Held-out tasks',
        'Held-out shell tasks tried greedily at each evaluation and before the first step; 0 for none.',
        {
          strategies: PLAYED,
        },
      ),
      number('nextCalls', 'Held-out calls', 'Recorded answers asked for again at each evaluation and before the first step; 0 for none.', {
        strategies: CALLING,
      }),
      {
        path: 'bestBy',
        label: 'Best by',
        meaning: 'Which evaluation is the best: for the marked checkpoint and for stopping early.',
        kind: 'choice',
        strategies: CALLING,
        options: [
          { value: 'loss', label: 'Loss' },
          { value: 'next_call', label: 'Next call' },
        ],
      },
      number('earlyStopping.patience', 'Stop early after', 'Evaluations that are no better than the best.', { none: 'off' }),
    ],
  },
  {
    title: 'Reports',
    fields: [knob('reportTo.tensorboard'), knob('reportTo.trackio'), knob('reportTo.wandb'), knob('reportTo.mlflow')],
  },
  {
    title: 'Chat template',
    fields: [
      {
        path: 'template',
        label: 'Training template',
        meaning: 'Jinja. It takes the place of the model’s own chat template, in training and in the saved model.',
        kind: 'text',
        none: 'the model’s own',
      },
    ],
  },
  {
    title: 'Machine',
    fields: [
      {
        path: 'device',
        label: 'Device',
        meaning: 'Device to train on.',
        kind: 'choice',
        options: [
          { value: 'auto', label: 'GPU if there is one' },
          { value: 'cpu', label: 'CPU' },
          { value: 'cuda', label: 'GPU (CUDA)' },
        ],
      },
      knob('backend'),
      number('processes', 'Processes', 'How many GPUs train together, or on the CPU how many processes. The batch is shared between them.'),
      number('threads', 'Threads', 'CPU threads of each process.', { none: 'all' }),
    ],
  },
]

export const ALL_FIELDS: readonly SettingField[] = [...BASIC, ...GROUPS.flatMap(({ fields }) => fields)]

export const fitsStrategy = (field: SettingField, strategy: TrainStrategy): boolean => field.strategies?.includes(strategy) ?? true
