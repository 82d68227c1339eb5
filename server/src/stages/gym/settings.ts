import { given } from '#server/given.ts'
import type { RunPreset, RunRequest } from '#contracts/entities/run.ts'
import { chatml } from '#server/stages/factory/index.ts'
import { CHATML, TrainSettings, type TrainSettingsInput, type TrainStrategy } from '#contracts/trainer.ts'

type SomeSettings = Partial<TrainSettingsInput>

/** Learning rates by strategy. An adapter starts from zero, so SFT takes ten times the rate of full weights. */
const RATES: Record<TrainStrategy, { lora: number; full: number }> = {
  sft: { lora: 2e-4, full: 2e-5 },
  // preference training changes what the model already does, and larger steps make it forget how to write
  dpo: { lora: 5e-6, full: 5e-6 },
  kto: { lora: 5e-6, full: 5e-6 },
  // rewards are noisy, so the rates are the lowest
  grpo: { lora: 1e-6, full: 1e-6 },
  rlvr: { lora: 1e-6, full: 1e-6 },
  distillation: { lora: 2e-5, full: 2e-5 },
}

const GROUP = 8

/** Where a strategy differs from the defaults of the contract. */
const STRATEGIES: Record<TrainStrategy, SomeSettings> = {
  sft: {},
  dpo: { epochs: 1 }, // in a second epoch the model memorises the pairs
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

/** An episode has several answers with the shell's output between them, so it needs more tokens. The environment gives the reward. */
const SHELL_TASKS: SomeSettings = { rewards: [], maxLength: 4096, maxCompletion: 3072 }

/** Settings that a preset changes. */
const PRESETS: Record<RunPreset, SomeSettings> = {
  // enough steps to see the loss change, in a few minutes
  quick: { epochs: 1, maxSteps: 60, nextCalls: 4, loggingSteps: 1, evalSteps: 20, saveSteps: 30, samples: 1 },
  balanced: {},
  // more epochs with a slower start, stopped early if the evaluation gets worse
  thorough: { epochs: 5, warmupSteps: 20, loggingSteps: 5, evalSteps: 25, saveSteps: 50, earlyStopping: { patience: 3 } },
}

/** Settings of a run. The user's win over the preset's, those over the strategy's, and those over the contract's defaults. */
export function resolveSettings({
  strategy,
  preset,
  settings,
  shellTasks,
}: Pick<RunRequest, 'strategy' | 'preset' | 'settings' | 'shellTasks'>): TrainSettings {
  const chosen: SomeSettings = given(settings)
  const method = chosen.method ?? { kind: 'lora' as const }
  const learningRate = RATES[strategy][method.kind]
  const presetSettings: SomeSettings = preset === 'balanced' ? {} : PRESETS[preset]
  const epochsChange = STRATEGIES[strategy].epochs === 1 && preset === 'thorough' ? { epochs: 2 } : {}
  const merged = { learningRate, ...STRATEGIES[strategy], ...(shellTasks && SHELL_TASKS), ...presetSettings, ...epochsChange, ...chosen }
  // a batch must contain whole groups of answers
  const isGrouped = strategy === 'grpo' || strategy === 'rlvr'
  const generations = merged.generations ?? GROUP
  const batchSize = isGrouped && chosen.batchSize === undefined ? Math.max(generations, GROUP - (GROUP % generations)) : merged.batchSize
  const template = merged.template === CHATML ? chatml() : merged.template
  return TrainSettings.parse({ ...merged, ...(batchSize !== undefined && { batchSize }), ...(template !== undefined && { template }) })
}
