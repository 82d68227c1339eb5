import { lookup } from '#contracts/lookup.ts'
import { type GgufHead, type GgufValue, readGguf } from './gguf.ts'
import type { Architecture, ModelFacts } from './model-facts.ts'
import { countOf, type Tensor } from './safetensors.ts'

/**
 * Architectures of causal models whose GGUF Transformers can read, as llama.cpp names them; compared with the pinned version by
 * a test (e2e/trainers/gguf-base.test.ts).
 */
export const READABLE: readonly string[] = [
  'bloom',
  'deci',
  'falcon',
  'gemma2',
  'gemma3',
  'gemma4',
  'gpt2',
  'gpt-oss',
  'lfm2',
  'llama',
  'mamba',
  'minimax-m2',
  'mistral',
  'nemotron',
  'phi3',
  'qwen2',
  'qwen2moe',
  'qwen3',
  'qwen35',
  'qwen35moe',
  'qwen3moe',
  'stablelm',
  'starcoder2',
]
/** Kinds of tokenizer that can be made of what a GGUF says. */
export const TOKENIZERS: readonly string[] = ['gemma4', 'gpt2', 'llama']

/** llama.cpp's names of the matrices of a layer, as Transformers calls them. */
const MATRICES: Readonly<Record<string, string>> = lookup({
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_qkv: 'self_attn.qkv_proj',
  attn_output: 'self_attn.o_proj',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
})

/** Facts of a GGUF file by its head. Throws a sentence for what cannot be read. */
export async function ggufFacts(file: string): Promise<ModelFacts> {
  const head = await readGguf(file)
  const { values, bytes } = head
  const name = textAt(head, 'general.architecture')
  const tensors = head.tensors.filter((one) => !one.name.startsWith('rope_')).map(renamed)
  const hasTemplate = textAt(head, 'tokenizer.chat_template') !== null
  return {
    format: 'gguf',
    quantization: mostOf(tensors),
    architecture: name === null ? null : shapeOf(head, name, tensors),
    architectureName: name,
    parameters: tensors.reduce((sum, tensor) => sum + countOf(tensor), 0),
    tensors,
    bytes,
    contextLength: name === null ? null : numberOf(values.get(`${name}.context_length`)),
    license: textAt(head, 'general.license'),
    hasTemplate,
    problem: problemOf(head, name),
  }
}

function problemOf(head: GgufHead, architecture: string | null): string | null {
  const parts = numberOf(head.values.get('split.count')) ?? 1
  if (parts > 1) return `It is one of ${parts} parts. Join them first: llama-gguf-split --merge.`
  if (architecture === null || !READABLE.includes(architecture))
    return `Transformers cannot read a GGUF of the architecture ${architecture ?? 'that is not specified'}. Download its safetensors version.`
  const tokenizer = textAt(head, 'tokenizer.ggml.model')
  if (tokenizer === null || !TOKENIZERS.includes(tokenizer))
    return `Its tokenizer cannot be used: ${tokenizer === null ? 'the file has none' : `its type is ${tokenizer}`}. Download its safetensors version.`
  return null
}

function shapeOf({ values }: GgufHead, name: string, tensors: readonly Tensor[]): Architecture | null {
  const at = (key: string) => numberOf(values.get(`${name}.${key}`))
  const [hidden, intermediate, layers, heads] = ['embedding_length', 'feed_forward_length', 'block_count', 'attention.head_count'].map(at)
  const vocabulary = tensors.find((tensor) => tensor.name === EMBEDDING)?.shape[0]
  if (!hidden || !intermediate || !layers || !heads || !vocabulary) return null
  const keyValueHeads = at('attention.head_count_kv') ?? heads
  return { name, hidden, intermediate, layers, heads, keyValueHeads, headDim: at('attention.key_length') ?? hidden / heads, vocabulary }
}

const EMBEDDING = 'model.embed_tokens.weight'

function renamed(tensor: Tensor): Tensor {
  if (tensor.name === 'token_embd.weight') return { ...tensor, name: EMBEDDING }
  if (tensor.name === 'output.weight') return { ...tensor, name: 'lm_head.weight' }
  const [, layer, matrix, rest] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(tensor.name) ?? []
  return { ...tensor, name: layer === undefined ? tensor.name : `model.layers.${layer}.${MATRICES[matrix!] ?? matrix}.${rest}` }
}

/** The type that most of the weights have; null if they are whole numbers of 16 bits or more. */
function mostOf(tensors: readonly Tensor[]): string | null {
  const counts = new Map<string, number>()
  for (const tensor of tensors) counts.set(tensor.dtype, (counts.get(tensor.dtype) ?? 0) + countOf(tensor))
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
  return most === undefined || /^B?F\d+$/.test(most) ? null : most
}

const textAt = ({ values }: GgufHead, key: string): string | null => {
  const value = values.get(key)
  return typeof value === 'string' ? value : null
}

/** Some say it for each layer: the greatest counts. */
function numberOf(value: GgufValue | undefined): number | null {
  if (typeof value === 'number') return value
  if (!Array.isArray(value)) return null
  const numbers = (value as readonly GgufValue[]).filter((one) => typeof one === 'number')
  return numbers.length > 0 ? Math.max(...numbers) : null
}
