import type { Architecture, ModelFacts } from './model-facts.ts'
import type { Tensor } from './safetensors.ts'

export type Json = Record<string, unknown>

/** The parsed JSON object; null if the text is not one. */
export function jsonOf(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

/** Facts from a model's config.json. */
export function configFacts(config: Json): Pick<ModelFacts, 'architecture' | 'architectureName' | 'contextLength' | 'problem'> {
  return {
    architecture: architectureOf(config),
    architectureName: firstText(config['architectures']) ?? text(config['model_type']),
    contextLength: number(decoder(config)['max_position_embeddings']),
    problem: configProblem(config),
  }
}

const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const firstText = (value: unknown): string | null => (Array.isArray(value) ? text(value[0]) : null)
/** Multimodal models describe their decoder in `text_config`. */
const decoder = (config: Json): Json => (config['text_config'] as Json | undefined) ?? config

function architectureOf(config: Json): Architecture | null {
  const shape = decoder(config)
  const [hidden, intermediate, layers, heads, vocabulary] = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_attention_heads', 'vocab_size'].map((name) => number(shape[name])) // prettier-ignore
  if (!hidden || !intermediate || !layers || !heads || !vocabulary) return null
  const keyValueHeads = number(shape['num_key_value_heads']) ?? heads
  const headDim = number(shape['head_dim']) ?? hidden / heads
  return { name: text(shape['model_type']) ?? 'unknown', hidden, intermediate, layers, heads, keyValueHeads, headDim, vocabulary }
}

/** Transformers' class names of models that generate text. Others would get an output head with random weights, or attend to later tokens. */
const GENERATES_TEXT = /CausalLM|LMHead|ConditionalGeneration/

function configProblem(config: Json): string | null {
  if (config['quantization_config']) return 'It is already quantized; training needs the full weights.'
  const name = firstText(config['architectures'])
  if (name !== null && !GENERATES_TEXT.test(name)) return `It is a ${name}, which does not generate text. Choose a chat model.`
  return config['is_encoder_decoder'] === true ? 'It is an encoder-decoder model; only decoder models can be trained here.' : null
}

/** The matrices of a decoder by its shape; null for a mixture of experts, whose matrices cannot be derived from it. */
export function tensorsOfShape(config: Json): Tensor[] | null {
  const shape = decoder(config)
  const architecture = architectureOf(config)
  if (!architecture || ['num_experts', 'num_local_experts', 'n_routed_experts'].some((name) => number(shape[name]))) return null
  const { hidden, intermediate, layers, heads, keyValueHeads, headDim, vocabulary } = architecture
  const matrix = (name: string, out: number, into: number): Tensor => ({ name: `${name}.weight`, dtype: 'BF16', shape: [out, into] })
  const [queries, keys] = [heads * headDim, keyValueHeads * headDim]
  const layer = (at: number) => [
    matrix(`model.layers.${at}.self_attn.q_proj`, queries, hidden),
    matrix(`model.layers.${at}.self_attn.k_proj`, keys, hidden),
    matrix(`model.layers.${at}.self_attn.v_proj`, keys, hidden),
    matrix(`model.layers.${at}.self_attn.o_proj`, hidden, queries),
    matrix(`model.layers.${at}.mlp.gate_proj`, intermediate, hidden),
    matrix(`model.layers.${at}.mlp.up_proj`, intermediate, hidden),
    matrix(`model.layers.${at}.mlp.down_proj`, hidden, intermediate),
  ]
  const isTied = (config['tie_word_embeddings'] ?? shape['tie_word_embeddings']) === true
  return [
    matrix('model.embed_tokens', vocabulary, hidden),
    ...Array.from({ length: layers }, (_, at) => layer(at)).flat(),
    ...(isTied ? [] : [matrix('lm_head', vocabulary, hidden)]),
  ]
}
