import { lookup } from '#contracts/lookup.ts'
import { type GgufHeader, type GgufValue, readGguf } from './gguf.ts'
import type { Architecture, ModelFacts } from './model-facts.ts'
import { countOf, type Tensor } from './safetensors.ts'

/**
 * llama.cpp's names of the causal architectures whose GGUF Transformers can read. `e2e/trainers/gguf-base.test.ts` compares
 * the list with the pinned version of Transformers.
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
/** Types of tokenizer that can be built from a GGUF. */
export const TOKENIZERS: readonly string[] = ['gemma4', 'gpt2', 'llama']

/** Transformers' names of the matrices of a layer, by llama.cpp's names. */
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

/** Facts from the header of a GGUF file. Throws a sentence if the file cannot be read. */
export async function ggufFacts(file: string): Promise<ModelFacts> {
  const header = await readGguf(file)
  const { values, bytes } = header
  const name = textAt(header, 'general.architecture')
  const tensors = header.tensors.filter((one) => !one.name.startsWith('rope_')).map(renamed)
  const jinja = textAt(header, 'tokenizer.chat_template')
  return {
    format: 'gguf',
    quantization: mainType(tensors),
    architecture: name === null ? null : shapeOf(header, name, tensors),
    architectureName: name,
    parameters: tensors.reduce((sum, tensor) => sum + countOf(tensor), 0),
    tensors,
    bytes,
    contextLength: name === null ? null : numberOf(values.get(`${name}.context_length`)),
    license: textAt(header, 'general.license'),
    template: jinja === null ? null : { jinja, config: null },
    problem: problemOf(header, name),
  }
}

function problemOf(head: GgufHeader, architecture: string | null): string | null {
  const parts = numberOf(head.values.get('split.count')) ?? 1
  if (parts > 1) return `It is one of ${parts} parts. Join them first: llama-gguf-split --merge.`
  if (architecture === null || !READABLE.includes(architecture))
    return `Transformers cannot read a GGUF of the architecture ${architecture ?? 'that is not specified'}. Download its safetensors version.`
  const tokenizer = textAt(head, 'tokenizer.ggml.model')
  if (tokenizer === null || !TOKENIZERS.includes(tokenizer))
    return `Its tokenizer cannot be used: ${tokenizer === null ? 'the file has none' : `its type is ${tokenizer}`}. Download its safetensors version.`
  return null
}

function shapeOf({ values }: GgufHeader, name: string, tensors: readonly Tensor[]): Architecture | null {
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
  const [, layer, matrix, suffix] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(tensor.name) ?? []
  return { ...tensor, name: layer === undefined ? tensor.name : `model.layers.${layer}.${MATRICES[matrix!] ?? matrix}.${suffix}` }
}

/** The most frequent type of the weights; null if it is an unquantized type. */
function mainType(tensors: readonly Tensor[]): string | null {
  const counts = new Map<string, number>()
  for (const tensor of tensors) counts.set(tensor.dtype, (counts.get(tensor.dtype) ?? 0) + countOf(tensor))
  const [type] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
  return type === undefined || /^B?F\d+$/.test(type) ? null : type
}

const textAt = ({ values }: GgufHeader, key: string): string | null => {
  const value = values.get(key)
  return typeof value === 'string' ? value : null
}

/** A number, or the maximum of a list with one number per layer. */
function numberOf(value: GgufValue | undefined): number | null {
  if (typeof value === 'number') return value
  if (!Array.isArray(value)) return null
  const numbers = (value as readonly GgufValue[]).filter((one) => typeof one === 'number')
  return numbers.length > 0 ? Math.max(...numbers) : null
}
