import { given } from '#contracts/given.ts'
import type { RunPreset, RunRequest } from '#contracts/entities/run.ts'
import { TrainSettings, type TrainSettingsInput, type TrainStrategy } from '#contracts/trainer.ts'

type Some = Partial<TrainSettingsInput>

/** Learning rates by strategy: an adapter starts from nothing and takes ten times the rate of whole weights. */
const RATES: Record<TrainStrategy, { lora: number; full: number }> = {
  sft: { lora: 2e-4, full: 2e-5 },
  // a preference pulls at what the model already does: small steps, or it forgets how to speak
  dpo: { lora: 5e-6, full: 5e-6 },
  kto: { lora: 5e-6, full: 5e-6 },
  // rewards are noisy: the smallest steps
  grpo: { lora: 1e-6, full: 1e-6 },
  rlvr: { lora: 1e-6, full: 1e-6 },
  distillation: { lora: 2e-5, full: 2e-5 },
}

const GROUP = 8

/** Where a strategy differs from the defaults of the contract. */
const STRATEGIES: Record<TrainStrategy, Some> = {
  sft: {},
  dpo: { epochs: 1 }, // a second pass over the same pairs learns them by heart
  kto: { epochs: 1 },
  grpo: {
    epochs: 1,
    batchSize: GROUP, // one prompt with its group of answers
    generations: GROUP,
    rewards: [{ kind: 'tool_call' }, { kind: 'format', weight: 0.2 }],
  },
  rlvr: { epochs: 1, batchSize: GROUP, generations: GROUP, rewards: [{ kind: 'tool_call' }] },
  distillation: { epochs: 1 },
}

/** An episode is several answers, with what the shell says between them; its reward is that of its environment. */
const SHELL_TASKS: Some = { rewards: [], maxLength: 4096, maxCompletion: 3072 }

/** What a preset changes, and why. */
const PRESETS: Record<RunPreset, Some> = {
  // enough steps to see the loss move, few enough to wait for
  quick: { epochs: 1, maxSteps: 60, loggingSteps: 1, evalSteps: 20, saveSteps: 30, samples: 1 },
  // the defaults of the contract
  balanced: {},
  // more passes with a gentler start, ended early if the evaluation says so
  thorough: { epochs: 5, warmupSteps: 20, loggingSteps: 5, evalSteps: 25, saveSteps: 50, earlyStopping: { patience: 3 } },
}

/** Settings of a run: the user's over the preset's over the strategy's over the contract's. */
export function resolveSettings({
  strategy,
  preset,
  settings,
  shellTasks,
}: Pick<RunRequest, 'strategy' | 'preset' | 'settings' | 'shellTasks'>): TrainSettings {
  const chosen: Some = given(settings)
  const method = chosen.method ?? { kind: 'lora' as const }
  const learningRate = RATES[strategy][method.kind]
  const preferred: Some = preset === 'balanced' ? {} : PRESETS[preset]
  const once = STRATEGIES[strategy].epochs === 1 && preset === 'thorough' ? { epochs: 2 } : {}
  const merged = { learningRate, ...STRATEGIES[strategy], ...(shellTasks && SHELL_TASKS), ...preferred, ...once, ...chosen }
  // a group is generated whole: a batch holds whole groups
  const isGrouped = strategy === 'grpo' || strategy === 'rlvr'
  const generations = merged.generations ?? GROUP
  const batchSize = isGrouped && chosen.batchSize === undefined ? Math.max(generations, GROUP - (GROUP % generations)) : merged.batchSize
  return TrainSettings.parse({ ...merged, ...(batchSize !== undefined && { batchSize }) })
}
