import { HubId, type RecommendedModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { fitOfShape } from './fit.ts'

const QWEN25 = { model_type: 'qwen2', num_hidden_layers: 28, vocab_size: 151_936, tie_word_embeddings: true }
const QWEN3 = { model_type: 'qwen3', head_dim: 128, num_key_value_heads: 8, vocab_size: 151_936, tie_word_embeddings: true }

/** Chat models from small to large, with the shape in their config.json, and whether their chat templates can express tool calls. */
const KNOWN = [
  {
    id: 'HuggingFaceTB/SmolLM2-135M-Instruct', family: 'SmolLM2', license: 'apache-2.0', parameters: 134_515_008, writesCalls: false,
    config: { model_type: 'llama', hidden_size: 576, intermediate_size: 1536, num_hidden_layers: 30, num_attention_heads: 9, num_key_value_heads: 3, vocab_size: 49_152, tie_word_embeddings: true },
  },
  {
    id: 'Qwen/Qwen2.5-Coder-0.5B-Instruct', family: 'Qwen2.5 Coder', license: 'apache-2.0', parameters: 494_032_768, writesCalls: true,
    config: { ...QWEN25, hidden_size: 896, intermediate_size: 4864, num_hidden_layers: 24, num_attention_heads: 14, num_key_value_heads: 2 },
  },
  {
    id: 'Qwen/Qwen3-0.6B', family: 'Qwen3', license: 'apache-2.0', parameters: 596_049_920, writesCalls: true,
    config: { ...QWEN3, hidden_size: 1024, intermediate_size: 3072, num_hidden_layers: 28, num_attention_heads: 16 },
  },
  {
    id: 'Qwen/Qwen2.5-Coder-1.5B-Instruct', family: 'Qwen2.5 Coder', license: 'apache-2.0', parameters: 1_543_714_304, writesCalls: true,
    config: { ...QWEN25, hidden_size: 1536, intermediate_size: 8960, num_attention_heads: 12, num_key_value_heads: 2 },
  },
  {
    id: 'Qwen/Qwen2.5-Coder-3B-Instruct', family: 'Qwen2.5 Coder', license: 'qwen-research', parameters: 3_085_938_688, writesCalls: true,
    config: { ...QWEN25, hidden_size: 2048, intermediate_size: 11_008, num_hidden_layers: 36, num_attention_heads: 16, num_key_value_heads: 2 },
  },
  {
    id: 'Qwen/Qwen3-4B-Instruct-2507', family: 'Qwen3', license: 'apache-2.0', parameters: 4_022_468_096, writesCalls: true,
    config: { ...QWEN3, hidden_size: 2560, intermediate_size: 9728, num_hidden_layers: 36, num_attention_heads: 32 },
  },
  {
    id: 'Qwen/Qwen2.5-Coder-7B-Instruct', family: 'Qwen2.5 Coder', license: 'apache-2.0', parameters: 7_615_616_512, writesCalls: true,
    config: { ...QWEN25, hidden_size: 3584, intermediate_size: 18_944, num_attention_heads: 28, num_key_value_heads: 4, vocab_size: 152_064, tie_word_embeddings: false },
  },
] as const // prettier-ignore

/** The licence of a model that is recommended here; null for others. */
export const knownLicense = (id: string): string | null => KNOWN.find((one) => one.id === id)?.license ?? null

const FIT_ORDER: Record<RecommendedModel['fit'], number> = { yes: 0, tight: 1, unknown: 2, no: 3 }

/**
 * Models to begin with, ordered by fit. Of those that fit, models whose template can express tool calls come first. A GPU
 * begins with the default and then larger ones; a CPU, which is slow, with the smallest. `isChosen`: the default is the user's.
 */
export function recommendedModels(
  device: ComputeDevice | null,
  { wanted, isChosen }: { wanted: string; isChosen: boolean },
  isHere: (id: string) => boolean,
): RecommendedModel[] {
  const recommended = KNOWN.map(({ config, ...model }): RecommendedModel => ({
    ...model,
    fit: fitOfShape(config, model.parameters, device),
  }))
  const isAdded = HubId.safeParse(wanted).success && !recommended.some(({ id }) => id === wanted)
  const wantedModel: RecommendedModel = { id: wanted, family: null, license: null, parameters: null, writesCalls: null, fit: 'unknown' }
  const isFast = device?.kind === 'cuda'
  const bySize = (a: RecommendedModel, b: RecommendedModel) =>
    ((b.parameters ?? 0) - (a.parameters ?? 0)) * (isFast && a.fit === 'yes' ? 1 : -1)
  const isFirst = ({ id }: RecommendedModel) => Number(id === wanted && (isChosen || isFast))
  const cannotCall = ({ writesCalls }: RecommendedModel) => Number(writesCalls === false)
  return [...(isAdded ? [wantedModel] : []), ...recommended]
    .filter(({ id }) => !isHere(id))
    .toSorted(
      (a, b) =>
        Number(a.fit === 'no') - Number(b.fit === 'no') ||
        cannotCall(a) - cannotCall(b) ||
        FIT_ORDER[a.fit] - FIT_ORDER[b.fit] ||
        isFirst(b) - isFirst(a) ||
        bySize(a, b),
    )
}
