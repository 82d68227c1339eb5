import type { Artifact, Model, ModelFormat, Quantization } from '#contracts/entities/model.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'

export const ALL_MODELS = { href: '/models', label: 'All models' }

export const strategyWord = (strategy: TrainStrategy): string => (strategy === 'distillation' ? 'Distillation' : strategy.toUpperCase())

/** Where something was computed, as the trainer names it. */
export const deviceWord = (device: string): string => (device === 'cpu' ? "this machine's CPU" : device)

interface FormatWords {
  label: string
  meaning: string
}

export const FORMAT_WORDS: Record<ModelFormat, FormatWords> = {
  adapter: { label: 'LoRA adapter', meaning: 'the trained weights only, for use with the base model' },
  merged: { label: 'Merged, 16-bit', meaning: 'the whole model as safetensors, for Transformers, vLLM and further training' },
  gguf: { label: 'GGUF', meaning: 'one file with its chat template, for llama.cpp, LM Studio and tools based on them' },
  ollama: { label: 'Ollama', meaning: 'a GGUF with a Modelfile that contains the training chat template' },
}

/** Formats that can be exported; the adapter is the run's own result. */
export const EXPORTS: readonly ModelFormat[] = ['gguf', 'ollama', 'merged']

export const QUANTIZATION_WORDS: Record<Quantization, FormatWords> = {
  q4_k_m: { label: 'q4_k_m', meaning: 'about 4.8 bits per weight: smallest, and the most common choice' },
  q5_k_m: { label: 'q5_k_m', meaning: 'about 5.7 bits per weight' },
  q8_0: { label: 'q8_0', meaning: '8.5 bits per weight: half of 16-bit' },
  f16: { label: 'f16', meaning: '16 bits per weight: nothing is rounded further' },
}

export const isQuantized = (format: ModelFormat): boolean => format === 'gguf' || format === 'ollama'

/** "GGUF q4_k_m", "Merged, 16-bit". */
export const artifactWord = ({ format, quantization }: Pick<Artifact, 'format' | 'quantization'>): string =>
  quantization === null ? FORMAT_WORDS[format].label : `${FORMAT_WORDS[format].label} ${quantization}`

export const ARTIFACT_STATES: Record<Artifact['state'], { label: string; tone: 'neutral' | 'bad' | 'warn'; meaning: string }> = {
  present: { label: 'present', tone: 'neutral', meaning: 'unchanged' },
  missing: { label: 'missing', tone: 'bad', meaning: 'the file is missing' },
  changed: { label: 'changed', tone: 'warn', meaning: 'the content has changed since it was written' },
}

/** Why a model cannot be exported and what to do; null if its trained weights are unchanged. */
export function weightsProblem({ artifacts }: Pick<Model, 'artifacts'>): string | null {
  const trained = artifacts[0]
  if (!trained || trained.state === 'present') return null
  return `Its trained weights ${trained.state === 'missing' ? 'are missing' : 'have changed since the run saved them'}. Restore the original files.`
}
