import type { TrainStrategy } from '#contracts/trainer.ts'
import { knob } from './knobs.ts'
import type { SettingField } from './setting-field.ts'

interface FieldGroup {
  title: string
  fields: readonly SettingField[]
}

const field = (path: string, label: string, meaning: string, more: Partial<SettingField> = {}): SettingField => ({ path, label, meaning, kind: 'number', ...more }) // prettier-ignore
const choice = (
  path: string,
  label: string,
  meaning: string,
  options: Record<string, string>,
  strategies?: readonly TrainStrategy[],
): SettingField => ({
  path,
  label,
  meaning,
  kind: 'choice',
  options: Object.entries(options).map(([value, word]) => ({ value, label: word })),
  ...(strategies && { strategies }),
})
const SFT = ['sft'] as const
const DPO = ['dpo'] as const
const KTO = ['kto'] as const
const GROUPED = ['grpo', 'rlvr'] as const
/** Strategies that are evaluated by held-out calls, not by rewards. */
const CALL_STRATEGIES = ['sft', 'dpo', 'kto', 'distillation'] as const
const EPISODIC = ['grpo'] as const
const BY_OBJECTIVE = 'by objective'
const GENERATING = ['grpo', 'rlvr', 'distillation'] as const

/** The most important settings, always visible. */
export const BASIC: readonly SettingField[] = [
  choice('method.kind', 'Method', 'LoRA trains a small adapter and needs far less memory; a full fine-tune changes every weight.', {
    lora: 'LoRA adapter',
    full: 'Full fine-tune',
  }),
  field('learningRate', 'Learning rate', 'Step size. Too high diverges; too low learns nothing.'),
  field('epochs', 'Epochs', 'Passes over all rows.'),
  field('batchSize', 'Batch size', 'Rows per optimiser step.'),
  field('maxLength', 'Max length', 'Tokens per row. Longer rows are split between answers.'),
]

/** The other settings, folded. */
export const GROUPS: readonly FieldGroup[] = [
  {
    title: 'LoRA adapter',
    fields: [
      field('method.rank', 'Rank', 'Size of the adapter. Higher learns more and needs more memory.'),
      field('method.alpha', 'Alpha', 'Scale of the adapter relative to the model; typically twice the rank.'),
      field('method.dropout', 'Dropout', 'Share of the adapter dropped at random; with 0, resumed runs are bit-identical.'),
      field('method.quantized', '4-bit base weights', 'QLoRA: a quarter of the memory for the base model; needs CUDA.', { kind: 'switch' }),
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
      field('maxSteps', 'Max steps', 'Stops before all epochs are done.', { none: 'by epochs' }),
      field('microBatch', 'Micro-batch size', 'Processes a batch in smaller parts: less memory, same result.', { none: 'whole batch' }),
      field('warmupSteps', 'Warm-up steps', 'The learning rate rises from 0 over these steps.', { none: 'by ratio' }),
      knob('warmupRatio'),
      choice('schedule', 'Schedule', 'How the learning rate changes after warm-up.', {
        cosine: 'Cosine',
        linear: 'Linear',
        constant: 'Constant',
        constant_with_warmup: 'Constant with warm-up',
        cosine_with_min_lr: 'Cosine to a minimum rate',
        warmup_stable_decay: 'Warm up, hold, decay',
      }),
      knob('minLrRate'),
      knob('decayRatio'),
      field('weightDecay', 'Weight decay', 'Pulls weights towards 0.'),
      field('maxGradNorm', 'Gradient clipping', 'Gradients with a larger norm are scaled down to this.'),
      field('packing', 'Packing', 'Packs short rows into one sequence without attention between them; needs CUDA.', {
        kind: 'switch',
        strategies: ['sft'],
      }),
      field('groupByLength', 'Group by length', 'Batches rows of similar length together: less padding.', { kind: 'switch' }),
      field('seed', 'Seed', 'The same seed and inputs give the same first losses.'),
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
      knob('objective', { strategies: GROUPED }),
      knob('numIterations', { strategies: GROUPED }),
      knob('grpoLossType', { strategies: GROUPED, none: BY_OBJECTIVE }),
      knob('epsilon', { strategies: GROUPED, none: BY_OBJECTIVE }),
      knob('epsilonHigh', { strategies: GROUPED, none: BY_OBJECTIVE }),
      knob('scaleRewards', { strategies: GROUPED, none: BY_OBJECTIVE }),
      knob('importanceSamplingLevel', { strategies: GROUPED, none: BY_OBJECTIVE }),
      knob('maskTruncatedCompletions', { strategies: GROUPED }),
      knob('topP', { strategies: GROUPED }),
      knob('topK', { strategies: GROUPED }),
      knob('minP', { strategies: GROUPED, none: 'off' }),
      field('beta', 'Beta', 'How closely the model stays to the base model.', {
        strategies: ['dpo', 'kto', 'grpo', 'rlvr'],
        none: 'strategy default',
      }),
      field('generations', 'Answers per prompt', 'Compared with each other; more give a steadier signal.', { strategies: GROUPED }),
      field('maxCompletion', 'Max answer length', 'In tokens. For shell tasks: of a whole episode, including outputs.', {
        strategies: GENERATING,
      }),
      field('maxTurns', 'Turns of an episode', 'Commands allowed per attempt at a shell task.', { strategies: EPISODIC }),
      field('turnTokens', 'Max command length', 'In tokens. Attempts at shell tasks with a longer command have failed.', {
        strategies: EPISODIC,
      }),
      field('temperature', 'Temperature', 'Randomness of sampled answers.', { strategies: GENERATING }),
      field('teacherTokens', 'Teacher answer length', 'In tokens. Longer answers of the teacher are left out. Text signal only.', {
        strategies: ['distillation'],
      }),
      choice(
        'distill',
        'Teacher signal',
        'The teacher’s probabilities on the student’s answers need the same tokenizer; its text does not.',
        { auto: 'Automatic', 'on-policy': 'On-policy', logits: 'Logits', text: 'Text' },
        ['distillation'],
      ),
    ],
  },
  {
    title: 'Logging and saving',
    fields: [
      field('loggingSteps', 'Log every', 'Steps between points on a curve.'),
      field('evalSteps', 'Evaluate every', 'Steps; needs validation rows.', { none: 'never' }),
      field('saveSteps', 'Save every', 'Steps between checkpoints; pausing also saves one.', { none: 'never' }),
      field('keepCheckpoints', 'Checkpoints kept', 'Older ones are removed.'),
      field('samples', 'Sample prompts', 'Answered at each evaluation, for comparison side by side.'),
      field(
        'heldoutTasks',
        'Held-out tasks',
        'Held-out shell tasks tried greedily at each evaluation and before the first step; 0 for none.',
        {
          strategies: EPISODIC,
        },
      ),
      field(
        'nextCalls',
        'Held-out calls',
        'Recorded calls that the model must predict at each evaluation and before the first step; 0 for none.',
        {
          strategies: CALL_STRATEGIES,
        },
      ),
      choice(
        'bestBy',
        'Best by',
        'Measure that decides the best checkpoint and early stopping.',
        { loss: 'Loss', next_call: 'Next call' },
        CALL_STRATEGIES,
      ),
      field('earlyStopping.patience', 'Stop early after', 'Evaluations without improvement.', { none: 'off' }),
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
        meaning: 'Jinja, or the word chatml for calls as Hermes writes them. Replaces the model’s own, in training and in the saved model.',
        kind: 'text',
        none: 'the model’s own',
      },
    ],
  },
  {
    title: 'Machine',
    fields: [
      choice('device', 'Device', 'Device to train on.', { auto: 'GPU if there is one', cpu: 'CPU', cuda: 'GPU (CUDA)' }),
      knob('backend'),
      field('processes', 'Processes', 'GPUs, or processes on the CPU, that train together. They share the batch.'),
      field('threads', 'Threads', 'CPU threads of each process.', { none: 'all' }),
    ],
  },
]

export const ALL_FIELDS: readonly SettingField[] = [...BASIC, ...GROUPS.flatMap(({ fields }) => fields)]

export const fitsStrategy = (field: SettingField, strategy: TrainStrategy): boolean => field.strategies?.includes(strategy) ?? true
