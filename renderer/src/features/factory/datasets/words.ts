import { lookup } from '#contracts/lookup.ts'
import type { BalanceBy, DatasetKind, ExportFormat, SplitName } from '#contracts/entities/dataset.ts'

/** What each kind of data set teaches, in words. */
export const KIND_WORDS: Record<DatasetKind, { label: string; meaning: string }> = {
  sft: { label: 'Examples (SFT)', meaning: 'whole conversations to imitate: messages and tools' },
  dpo: { label: 'Preferences (DPO)', meaning: 'a prompt with a better and a worse continuation' },
  kto: { label: 'Labels (KTO)', meaning: 'a prompt, a continuation, and whether it is wanted' },
  rlvr: { label: 'Rewarded prompts (RLVR)', meaning: 'prompts with what a reward is computed from' },
  prompts: { label: 'Prompts', meaning: 'prompts alone' },
}

export const SPLIT_WORDS: Record<SplitName, string> = { train: 'Train', val: 'Validation', test: 'Test' }

export const BALANCE_WORDS: Record<BalanceBy, string> = {
  repo: 'Repository',
  tool: 'Most used tool',
  task: 'Kind of task',
  language: 'Language',
  length: 'Length',
}

/** Which examples go in, by the rule of a recipe. */
export type ReviewRule = 'not_rejected' | 'accepted'
export const REVIEW_WORDS: Record<ReviewRule, string> = { not_rejected: 'All but rejected', accepted: 'Accepted only' }

/** Stages of the funnel as the picture names them. A stage that is not known keeps its own name. */
const STAGES: Record<string, { label: string; meaning: string }> = lookup({
  filter: { label: 'Sessions chosen', meaning: 'by filter, tiers and quality' },
  segments: { label: 'Segments', meaning: 'tasks inside the sessions' },
  parts: { label: 'Made into examples', meaning: 'one a segment; long segments are split' },
  review: { label: 'Reviewed', meaning: 'examples that the recipe asks for' },
  dedup: { label: 'Without repeats', meaning: 'exact and near duplicates leave one' },
  decontamination: { label: 'Decontaminated', meaning: 'nothing that meets a held-out item' },
  balance: { label: 'Balanced', meaning: 'caps and weights of groups' },
  privacy: { label: 'Cleared', meaning: 'each row passed the privacy gate' },
  split: { label: 'Split', meaning: 'train, validation and test' },
})
export const stageWords = (stage: string, review: ReviewRule = 'not_rejected') =>
  stage === 'review' ? { ...STAGES['review']!, meaning: REVIEW_WORDS[review] } : (STAGES[stage] ?? { label: stage, meaning: '' })

/** Why a session or a part of one gave no row. Other reasons are words already. */
const DROPS: Record<string, string> = lookup({
  no_steps: 'no calls in it',
  no_prompt: 'nothing was asked before it',
  no_own_prompt: 'no prompt of its own',
  empty: 'nothing of the model in it',
  only_failures: 'only failures',
  low_success: 'too many failures',
  unverified: 'gold, unverified',
})
export const dropWords = (reason: string): string => DROPS[reason] ?? reason

interface FormatWords {
  label: string
  meaning: string
  /** What of a row the format has no place for. */
  losses: string | null
  kinds: readonly DatasetKind[]
}
const ALL: readonly DatasetKind[] = ['sft', 'dpo', 'kto', 'rlvr', 'prompts']

/** What each format is for and what it loses; the server counts the losses and refuses kinds that do not fit. */
export const FORMATS: Record<ExportFormat, FormatWords> = {
  nemo: { label: 'NeMo messages', meaning: 'train.jsonl and val.jsonl with messages, tools and metadata', losses: null, kinds: ['sft'] },
  openai: {
    label: 'OpenAI fine-tuning',
    meaning: 'messages with the arguments of calls as text',
    losses: 'metadata goes to a file of its own',
    kinds: ['sft', 'dpo'],
  },
  trl: { label: 'TRL', meaning: 'the columns that TRL’s trainers read', losses: 'metadata goes to a file of its own', kinds: ALL },
  'trl-prompt-completion': {
    label: 'TRL prompt and completion',
    meaning: 'the prompt ends before the first answer',
    losses: 'tool results inside the completion bear loss',
    kinds: ['sft'],
  },
  'trl-preference': {
    label: 'TRL preference',
    meaning: 'prompt, chosen, rejected',
    losses: 'metadata goes to a file of its own',
    kinds: ['dpo'],
  },
  'trl-unpaired': {
    label: 'TRL unpaired preference',
    meaning: 'prompt, completion, label; a pair becomes two rows',
    losses: 'which two belonged together',
    kinds: ['kto', 'dpo'],
  },
  'trl-prompt-only': { label: 'TRL prompts', meaning: 'what comes before the first answer', losses: 'all answers', kinds: ALL },
  sharegpt: {
    label: 'ShareGPT',
    meaning: 'conversations as LLaMA-Factory reads them',
    losses: 'words beside a tool call, and ids of calls',
    kinds: ['sft'],
  },
  alpaca: {
    label: 'Alpaca',
    meaning: 'instruction, input, output',
    losses: 'tools, tool calls and their results; prompts without an answer in words',
    kinds: ['sft'],
  },
  parquet: { label: 'Parquet', meaning: 'one typed file a split, for analysis and loaders', losses: null, kinds: ALL },
  hf: { label: 'Hugging Face folder', meaning: 'JSONL files with a card, as the Hub lays them out', losses: null, kinds: ALL },
}
