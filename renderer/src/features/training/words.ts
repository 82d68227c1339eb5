import type { DatasetKind } from '#contracts/entities/dataset.ts'
import type { Run, RunPreset, RunState } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'
import { formatBytes, formatCount, formatDuration, formatEta, plural } from '#renderer/ui/format.ts'

export const ALL_RUNS = { href: '/training', label: 'All runs' }

/** A state as a word, and the colour of the bar at the row's start. Only outcomes are green, amber or red. */
export const STATE_WORDS: Record<RunState, { label: string; bar: string; ink: string }> = {
  queued: { label: 'Waiting', bar: 'bg-edge', ink: 'text-second' },
  preparing: { label: 'Preparing', bar: 'bg-accent', ink: 'text-accent' },
  running: { label: 'Running', bar: 'bg-accent', ink: 'text-accent' },
  pausing: { label: 'Stopping', bar: 'bg-accent', ink: 'text-accent' },
  paused: { label: 'Paused', bar: 'bg-warn', ink: 'text-warn' },
  completed: { label: 'Done', bar: 'bg-ok', ink: 'text-ok' },
  failed: { label: 'Failed', bar: 'bg-bad', ink: 'text-bad' },
  cancelled: { label: 'Cancelled', bar: 'bg-pending', ink: 'text-second' },
}

const PHASE_WORDS: Record<NonNullable<Run['phase']>, string> = {
  installing: 'installing the trainer',
  loading: 'loading the model',
  tokenising: 'tokenizing rows',
  warming: 'warming up',
  training: 'training',
  evaluating: 'evaluating',
  saving: 'saving',
  exporting: 'exporting',
}

/** The current phase of a run in words; null if the state is enough. */
export const phaseOf = (run: Pick<Run, 'state' | 'phase'>): string | null =>
  run.phase !== null && (run.state === 'running' || run.state === 'preparing' || run.state === 'pausing') ? PHASE_WORDS[run.phase] : null

interface StrategyWords {
  label: string
  meaning: string
  /** Kinds of data sets that it reads. */
  kinds: readonly DatasetKind[]
}

export const STRATEGY_WORDS: Record<TrainStrategy, StrategyWords> = {
  sft: { label: 'SFT', meaning: 'Learns to imitate the answers in your sessions; loss on the assistant’s tokens only.', kinds: ['sft'] },
  dpo: { label: 'DPO', meaning: 'Learns from pairs to prefer the better response while staying close to the base model.', kinds: ['dpo'] },
  kto: { label: 'KTO', meaning: 'Learns from single answers marked as wanted or unwanted.', kinds: ['kto'] },
  grpo: {
    label: 'GRPO',
    meaning: 'Samples several answers per prompt and learns from the rewards you choose.',
    kinds: ['rlvr', 'prompts'],
  },
  rlvr: { label: 'RLVR', meaning: 'Like GRPO, with a verifiable check as its only reward.', kinds: ['rlvr'] },
  distillation: {
    label: 'Distillation',
    meaning: 'Learns to match a larger model on this machine, on your prompts.',
    kinds: ['prompts', 'sft', 'rlvr'],
  },
}

export const PRESET_WORDS: Record<RunPreset, { label: string; meaning: string }> = {
  quick: { label: 'Quick check', meaning: 'a few steps, to check that it works' },
  balanced: { label: 'Balanced', meaning: 'suits most data sets' },
  thorough: { label: 'Thorough', meaning: 'longer, with more evaluations' },
}

export const isOnDevice = ({ state }: Pick<Run, 'state'>): boolean => state === 'preparing' || state === 'running' || state === 'pausing'
export const isOver = ({ state }: Pick<Run, 'state'>): boolean => state === 'completed' || state === 'failed' || state === 'cancelled'

/** Share of the steps done. Unknown total: null while the run is on the device, otherwise 0. */
export const shareOf = (run: Pick<Run, 'step' | 'totalSteps' | 'state'>): number | null =>
  run.state === 'completed' ? 1 : run.totalSteps ? run.step / run.totalSteps : isOnDevice(run) ? null : 0

export const formatMegabytes = (megabytes: number | null): string => formatBytes(megabytes === null ? null : megabytes * 1e6)

/** What the state of a run leaves unsaid: rows of which nothing was trained, and rows that its steps did not reach. Null: nothing. */
export function rowsWord({
  fileRows,
  unusedRows,
  rows,
  seenRows,
  state,
}: Pick<Run, 'fileRows' | 'unusedRows' | 'rows' | 'seenRows' | 'state'>): string | null {
  const used = fileRows !== null && unusedRows ? `${formatCount(fileRows - unusedRows)} of ${plural(fileRows, 'row')} used` : null
  const seen =
    state === 'completed' && rows !== null && seenRows !== null && seenRows < rows
      ? `${formatCount(seenRows)} of ${plural(rows, 'row')} seen`
      : null
  return used === null && seen === null ? null : [used, seen].filter(Boolean).join(', ')
}

/** How long the run has trained, without pauses. */
export const elapsedOf = ({ trainSec, workingSince }: Pick<Run, 'trainSec' | 'workingSince'>, now: number): string =>
  formatDuration(trainSec === null ? null : trainSec * 1000 + (workingSince === null ? 0 : Math.max(0, now - Date.parse(workingSince))))

/** The remaining time; null until it has been measured. */
export const etaOf = (run: Pick<Run, 'state' | 'etaSec'>): string | null =>
  isOnDevice(run) && run.etaSec !== null ? `${formatEta(run.etaSec)} left` : null

/** Describes a GGUF base model by its quantization. */
export function ggufWord(quantization: string | null): string {
  if (quantization === null) return 'GGUF, unpacked for training'
  return /^I?Q[1-4]/.test(quantization)
    ? `GGUF in ${quantization}: low precision, a poor start`
    : `GGUF in ${quantization}, unpacked for training`
}
