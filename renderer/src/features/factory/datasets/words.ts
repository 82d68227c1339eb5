import { lookup } from '#contracts/lookup.ts'
import type { BalanceBy, DatasetKind, ExportFormat, SplitName } from '#contracts/entities/dataset.ts'

/** Label and meaning of each kind of data set. */
export const KIND_WORDS: Record<DatasetKind, { label: string; meaning: string }> = {
  sft: { label: 'Examples (SFT)', meaning: 'Whole conversations to imitate, with messages and tools.' },
  dpo: { label: 'Preferences (DPO)', meaning: 'A prompt with a better and a worse response.' },
  kto: { label: 'Labels (KTO)', meaning: 'A prompt, a response, and whether it is a good one.' },
  rlvr: { label: 'Rewarded prompts (RLVR)', meaning: 'Prompts with the data a reward is computed from.' },
  prompts: { label: 'Prompts', meaning: 'Prompts without responses.' },
}

export const SPLIT_WORDS: Record<SplitName, string> = { train: 'Train', val: 'Validation', test: 'Test' }

export const BALANCE_WORDS: Record<BalanceBy, string> = {
  repo: 'Repository',
  session: 'Session',
  tool: 'Most-used tool',
  task: 'Task type',
  language: 'Language',
  length: 'Length',
}

export type ReviewRule = 'not_rejected' | 'accepted'
export const REVIEW_WORDS: Record<ReviewRule, string> = { not_rejected: 'All but rejected', accepted: 'Accepted only' }

/** Labels of the funnel's stages. */
const STAGES: Record<string, { label: string; meaning: string }> = lookup({
  filter: { label: 'Selected sessions', meaning: 'by filter, tiers and quality' },
  segments: { label: 'Segments', meaning: 'tasks inside the sessions' },
  parts: { label: 'Examples', meaning: 'one per segment; long segments are split' },
  review: { label: 'Reviewed', meaning: 'examples the recipe asks for' },
  dedup: { label: 'Deduplicated', meaning: 'one of each set of exact or near duplicates' },
  'shared answers': { label: 'Trained once', meaning: 'no answer that a fork copied is trained twice' },
  decontamination: { label: 'Decontaminated', meaning: 'no overlap with held-out items' },
  balance: { label: 'Balanced', meaning: 'group caps and weights' },
  'share per session': { label: 'Share per session', meaning: 'no session gives more than its share of the rows' },
  privacy: { label: 'Privacy-checked', meaning: 'each row passed the privacy filter' },
  split: { label: 'Split', meaning: 'train, validation and test' },
})
export const stageWords = (stage: string, review: ReviewRule = 'not_rejected') =>
  stage === 'review' ? { ...STAGES['review']!, meaning: REVIEW_WORDS[review] } : (STAGES[stage] ?? { label: stage, meaning: '' })

/** Codes of reasons; other reasons are already plain text. */
const DROPS: Record<string, string> = lookup({
  no_steps: 'no tool calls',
  no_prompt: 'no prompt before it',
  no_own_prompt: 'no prompt of its own',
  empty: 'no model output',
  unasked: 'nothing recorded asked for it',
  answered_by_mod: 'answered by a mod',
  only_mistakes: 'only corrected or refused calls',
  only_failures: 'only failures',
  low_success: 'too many failures',
  unverified: 'gold, unverified',
  'agent run': 'agent runs',
})
export const dropWords = (reason: string): string => DROPS[reason] ?? reason.replaceAll('_', ' ')

interface FormatWords {
  label: string
  meaning: string
  /** What the format cannot store. */
  losses: string | null
  kinds: readonly DatasetKind[]
}
const ALL: readonly DatasetKind[] = ['sft', 'dpo', 'kto', 'rlvr', 'prompts']

/** What each format is for and what it loses. */
export const FORMATS: Record<ExportFormat, FormatWords> = {
  nemo: { label: 'NeMo messages', meaning: 'train.jsonl and val.jsonl with messages, tools and metadata', losses: null, kinds: ['sft'] },
  openai: {
    label: 'OpenAI fine-tuning',
    meaning: 'messages with call arguments as text',
    losses: 'metadata goes to a separate file',
    kinds: ['sft', 'dpo'],
  },
  trl: { label: 'TRL', meaning: "columns as TRL's trainers expect", losses: 'metadata goes to a separate file', kinds: ALL },
  'trl-prompt-completion': {
    label: 'TRL prompt and completion',
    meaning: 'the prompt ends before the first answer',
    losses: 'the model is also trained on tool results inside the completion',
    kinds: ['sft'],
  },
  'trl-preference': {
    label: 'TRL preference',
    meaning: 'prompt, chosen, rejected',
    losses: 'metadata goes to a separate file',
    kinds: ['dpo'],
  },
  'trl-unpaired': {
    label: 'TRL unpaired preference',
    meaning: 'prompt, completion, label; a pair becomes two rows',
    losses: 'the two rows of a pair are no longer linked',
    kinds: ['kto', 'dpo'],
  },
  'trl-prompt-only': { label: 'TRL prompts', meaning: 'what comes before the first answer', losses: 'answers are left out', kinds: ALL },
  sharegpt: {
    label: 'ShareGPT',
    meaning: 'conversations as LLaMA-Factory reads them',
    losses: 'text next to a tool call and call ids are left out',
    kinds: ['sft'],
  },
  alpaca: {
    label: 'Alpaca',
    meaning: 'instruction, input, output',
    losses: 'tools, tool calls and results are left out, as are prompts without a text answer',
    kinds: ['sft'],
  },
  parquet: { label: 'Parquet', meaning: 'one typed file per split, for analysis and data loaders', losses: null, kinds: ALL },
  hf: { label: 'Hugging Face folder', meaning: "JSONL files with a card, in the Hub's layout", losses: null, kinds: ALL },
}
