import type { BaseModel, HubStatus } from '#contracts/entities/base-model.ts'
import { ggufWord } from '../words.ts'

export const FIT = {
  yes: { word: 'fits', tone: 'ok', meaning: 'LoRA training fits the memory of this machine.' },
  tight: { word: 'tight', tone: 'warn', meaning: 'LoRA training fits the memory of this machine with smaller batches or shorter rows.' },
  no: { word: 'too large', tone: 'bad', meaning: 'LoRA training needs more memory than this machine has.' },
  unknown: { word: 'fit unknown', tone: 'neutral', meaning: 'How much memory training needs is unknown.' },
} as const

export const SOURCE_WORDS: Record<BaseModel['source'], string> = {
  'hub-cache': 'Hugging Face cache',
  ollama: 'Ollama',
  'lm-studio': 'LM Studio',
  folder: 'folder',
  own: 'your run',
}

export const TOKEN_WORDS: Record<NonNullable<HubStatus['tokenFrom']>, string> = {
  environment: 'Set by HF_TOKEN; it cannot be changed here.',
  saved: 'A token is saved. It is not shown again.',
  login: 'The token of `hf auth login` on this machine is used.',
}

/** "Qwen2" for Qwen2ForCausalLM. */
export const familyWord = (architecture: string | null): string | null =>
  architecture === null ? null : architecture.replace(/(?:ForCausalLM|ForConditionalGeneration|LMHeadModel)$/, '')

/** What a template without tool calls means for the user. */
export const NO_CALLS = 'cannot write tool calls by itself: a trial of training'
export const callsSentence = (writesCalls: boolean | null): string =>
  writesCalls === null
    ? 'not checked'
    : writesCalls
      ? 'its chat template writes them'
      : 'its chat template cannot write them. Training then uses Hermes/ChatML, which the model learns from your rows alone.'

/** Licence, source, family and format. */
export const modelSentence = ({ license, architecture, format, quantization, source, writesCalls }: BaseModel): string =>
  [
    writesCalls === false ? NO_CALLS : null,
    license ?? 'licence not stated',
    SOURCE_WORDS[source],
    familyWord(architecture),
    format === 'gguf' ? ggufWord(quantization) : null,
  ].filter(Boolean).join(' · ') // prettier-ignore
