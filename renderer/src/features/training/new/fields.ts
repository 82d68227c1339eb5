import type { TrainStrategy } from '#contracts/trainer.ts'

/** A setting as the form shows it. `path` is its place in the settings; `none` is what stands for null there. */
export interface SettingField {
  path: string
  label: string
  meaning: string
  kind: 'number' | 'switch' | 'choice'
  options?: readonly { value: string; label: string }[]
  /** The word for "not at all", where that is a choice. */
  none?: string
  /** Of these strategies only. */
  strategies?: readonly TrainStrategy[]
}

interface FieldGroup {
  title: string
  fields: readonly SettingField[]
}

const number = (path: string, label: string, meaning: string, more: Partial<SettingField> = {}): SettingField => ({ path, label, meaning, kind: 'number', ...more }) // prettier-ignore
const GROUPED = ['grpo', 'rlvr'] as const
const GENERATING = ['grpo', 'rlvr', 'distillation'] as const

/** What matters most often, always in view. */
export const BASIC: readonly SettingField[] = [
  {
    path: 'method.kind',
    label: 'Method',
    meaning: 'LoRA trains a small adapter beside the model and fits far smaller devices; full changes every weight.',
    kind: 'choice',
    options: [
      { value: 'lora', label: 'LoRA adapter' },
      { value: 'full', label: 'Full fine-tune' },
    ],
  },
  number('learningRate', 'Learning rate', 'How far one step goes: too high diverges, too low learns nothing.'),
  number('epochs', 'Epochs', 'How often every row is seen.'),
  number('batchSize', 'Batch size', 'Rows that one step learns from.'),
  number('maxLength', 'Length', 'Tokens of a row; what lies behind is cut off and counted.'),
]

/** The rest, folded. */
export const GROUPS: readonly FieldGroup[] = [
  {
    title: 'Adapter',
    fields: [
      number('method.rank', 'Rank', 'Width of the adapter: more learns more, and needs more memory.'),
      number('method.alpha', 'Alpha', 'Weight of the adapter against the model; twice the rank is usual.'),
      number('method.dropout', 'Dropout', 'Share of the adapter that is left out at random; 0 makes resumed runs bit-equal.'),
      {
        path: 'method.quantized',
        label: 'Base weights in 4 bit',
        meaning: 'QLoRA: a quarter of the memory for the base model; needs CUDA.',
        kind: 'switch',
      },
    ],
  },
  {
    title: 'Steps',
    fields: [
      number('maxSteps', 'Steps at most', 'Ends earlier than the epochs would.', { none: 'by epochs' }),
      number('microBatch', 'Rows at once', 'Less memory, same result: a batch in several goes.', { none: 'whole batch' }),
      number('warmupSteps', 'Warm-up steps', 'The rate rises from 0 over these.'),
      {
        path: 'schedule',
        label: 'Schedule',
        meaning: 'How the rate falls afterwards.',
        kind: 'choice',
        options: [
          { value: 'cosine', label: 'Cosine' },
          { value: 'linear', label: 'Linear' },
          { value: 'constant', label: 'Constant' },
        ],
      },
      number('weightDecay', 'Weight decay', 'Pulls weights towards 0.'),
      number('maxGradNorm', 'Gradient limit', 'Longer gradients are shortened to this.'),
      {
        path: 'packing',
        label: 'Packing',
        meaning: 'Several short rows in one sequence, each blind to the others; CUDA.',
        kind: 'switch',
        strategies: ['sft'],
      },
      { path: 'groupByLength', label: 'Group by length', meaning: 'Rows of like length together: less padding.', kind: 'switch' },
      number('seed', 'Seed', 'The same seed on the same inputs gives the same first losses.'),
    ],
  },
  {
    title: 'Strategy',
    fields: [
      number('beta', 'Beta', 'How closely the base model is kept to.', { strategies: ['dpo', 'kto', 'grpo', 'rlvr'], none: 'by strategy' }),
      number('generations', 'Answers a prompt', 'Compared with one another; more give a steadier signal.', { strategies: GROUPED }),
      number('maxCompletion', 'Length of an answer', 'Tokens at most.', { strategies: GENERATING }),
      number('temperature', 'Temperature', 'How freely answers are drawn.', { strategies: GENERATING }),
      {
        path: 'distill',
        label: 'From the teacher',
        meaning: 'Its probabilities on the student’s own answers need the same tokenizer; its text does not.',
        kind: 'choice',
        strategies: ['distillation'],
        options: [
          { value: 'auto', label: 'What fits' },
          { value: 'on-policy', label: 'On-policy' },
          { value: 'logits', label: 'Logits' },
          { value: 'text', label: 'Text' },
        ],
      },
    ],
  },
  {
    title: 'Watching and saving',
    fields: [
      number('loggingSteps', 'Log every', 'Steps between two points of a curve.'),
      number('evalSteps', 'Evaluate every', 'Steps; needs rows for validation.', { none: 'never' }),
      number('saveSteps', 'Save every', 'Steps between checkpoints; pausing saves one of its own.', { none: 'never' }),
      number('keepCheckpoints', 'Checkpoints kept', 'Older ones are removed.'),
      number('samples', 'Sample prompts', 'Answered at each evaluation, to be read side by side.'),
      number('earlyStopping.patience', 'Stop early after', 'Evaluations without a better loss.', { none: 'off' }),
    ],
  },
  {
    title: 'Machine',
    fields: [
      {
        path: 'device',
        label: 'Device',
        meaning: 'Where it trains.',
        kind: 'choice',
        options: [
          { value: 'auto', label: 'GPU if there is one' },
          { value: 'cpu', label: 'CPU' },
          { value: 'cuda', label: 'GPU (CUDA)' },
        ],
      },
      number('threads', 'Threads', 'Of the CPU.', { none: 'all' }),
    ],
  },
]

export const ALL_FIELDS: readonly SettingField[] = [...BASIC, ...GROUPS.flatMap(({ fields }) => fields)]

export const fitsStrategy = (field: SettingField, strategy: TrainStrategy): boolean => field.strategies?.includes(strategy) ?? true
