import fs from 'node:fs/promises'
import path from 'node:path'
import { ggufFacts } from './gguf-facts.ts'
import { isGguf } from './gguf.ts'
import type { Architecture, ModelFacts } from './model-facts.ts'
import { countOf, tensorsOf } from './safetensors.ts'

const kept = new Map<string, { stamp: string; facts: Promise<ModelFacts> }>()

/** Facts of a model's folder or GGUF file, read once for each state of its files. Never rejects: what is wrong is its `problem`. */
export async function factsOf(folder: string): Promise<ModelFacts> {
  const stamp = await stampOf(folder)
  const before = kept.get(folder)
  if (before?.stamp === stamp) return before.facts
  const facts = isGguf(folder) ? readGgufFacts(folder) : readFacts(folder)
  kept.set(folder, { stamp, facts })
  return facts
}

/** Names, sizes and times of the files of a model. */
export async function stampOf(folder: string): Promise<string> {
  try {
    if (isGguf(folder)) return stampOfFile(path.basename(folder), await fs.stat(folder))
    const names = (await fs.readdir(folder)).toSorted()
    const stats = await Promise.all(names.map(async (name) => ({ name, stat: await fs.stat(path.join(folder, name)).catch(() => null) })))
    return stats.map(({ name, stat }) => stampOfFile(name, stat)).join('\n')
  } catch {
    return 'gone'
  }
}

const stampOfFile = (name: string, stat: { size: number; mtimeMs: number } | null) => `${name} ${stat?.size} ${stat?.mtimeMs}`

const NOTHING: ModelFacts = {
  format: 'safetensors',
  quantization: null,
  architecture: null,
  architectureName: null,
  parameters: null,
  tensors: [],
  bytes: 0,
  contextLength: null,
  license: null,
  hasTemplate: false,
  problem: null,
}

const readGgufFacts = (file: string): Promise<ModelFacts> =>
  ggufFacts(file).catch((error: unknown) => ({ ...NOTHING, format: 'gguf', problem: (error as Error).message }))

async function readFacts(folder: string): Promise<ModelFacts> {
  const config = await json(path.join(folder, 'config.json'))
  const [license, hasTemplate] = await Promise.all([licenseOf(folder), templateOf(folder)])
  const architecture = config && architectureOf(config)
  const nothing = {
    ...NOTHING,
    architecture,
    architectureName: firstText(config?.['architectures']) ?? text(config?.['model_type']),
    contextLength: number(decoder(config)['max_position_embeddings']),
    license,
    hasTemplate,
  }
  if (config === null) return { ...nothing, problem: 'Its config.json cannot be read.' }
  try {
    const weights = await tensorsOf(folder)
    if (weights === null) return { ...nothing, problem: await weightsProblem(folder) }
    const { tensors, bytes } = weights
    const parameters = tensors.reduce((sum, tensor) => sum + countOf(tensor), 0)
    const problem = configProblem(config) ?? (await tokenizerProblem(folder)) ?? (hasTemplate ? null : 'It has no chat template. Choose its instruct version.') // prettier-ignore
    return { ...nothing, parameters, tensors, bytes, problem }
  } catch (error) {
    return { ...nothing, problem: (error as Error).message }
  }
}

type Json = Record<string, unknown>

async function json(file: string): Promise<Json | null> {
  try {
    const value: unknown = JSON.parse(await fs.readFile(file, 'utf8'))
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const firstText = (value: unknown): string | null => (Array.isArray(value) ? text(value[0]) : null)
/** Models that see pictures too keep their decoder one level down. */
const decoder = (config: Json | null): Json => (config?.['text_config'] as Json | undefined) ?? config ?? {}

function architectureOf(config: Json): Architecture | null {
  const shape = decoder(config)
  const [hidden, intermediate, layers, heads, vocabulary] = ['hidden_size', 'intermediate_size', 'num_hidden_layers', 'num_attention_heads', 'vocab_size'].map((name) => number(shape[name])) // prettier-ignore
  if (!hidden || !intermediate || !layers || !heads || !vocabulary) return null
  const keyValueHeads = number(shape['num_key_value_heads']) ?? heads
  const headDim = number(shape['head_dim']) ?? hidden / heads
  return { name: text(shape['model_type']) ?? 'unknown', hidden, intermediate, layers, heads, keyValueHeads, headDim, vocabulary }
}

/** How Transformers calls models that write text word by word; others would be loaded with a head of random weights, or see what they are to say. */
const WRITES = /CausalLM|LMHead|ConditionalGeneration/

function configProblem(config: Json): string | null {
  if (config['quantization_config']) return 'It is already quantized; training needs the full weights.'
  const name = firstText(config['architectures'])
  if (name !== null && !WRITES.test(name)) return `It is a ${name}, which does not generate text. Choose a chat model.`
  return config['is_encoder_decoder'] === true ? 'It is an encoder-decoder model; only decoder models can be trained here.' : null
}

/** The licence that the front matter of the model card names. */
async function licenseOf(folder: string): Promise<string | null> {
  const card = await fs.readFile(path.join(folder, 'README.md'), 'utf8').catch(() => '')
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(card)?.[1] ?? ''
  const found = /^license(?:_name)?:\s*["']?([^"'\r\n#]+)/m.exec(front)?.[1]?.trim()
  const named = found === 'other' ? /^license_name:\s*["']?([^"'\r\n#]+)/m.exec(front)?.[1]?.trim() : undefined
  return named ?? found ?? null
}

async function templateOf(folder: string): Promise<boolean> {
  if (await exists(path.join(folder, 'chat_template.jinja'))) return true
  return Boolean((await json(path.join(folder, 'tokenizer_config.json')))?.['chat_template'])
}

const exists = (file: string) => fs.stat(file).then(() => true, () => false) // prettier-ignore

async function tokenizerProblem(folder: string): Promise<string | null> {
  if (await exists(path.join(folder, 'tokenizer.json'))) return null
  return (await exists(path.join(folder, 'tokenizer.model'))) ? null : 'It has no tokenizer (tokenizer.json).'
}

async function weightsProblem(folder: string): Promise<string> {
  const names = await fs.readdir(folder)
  if (names.some(isGguf)) return 'Its weights are in a GGUF file. Choose that file.'
  if (names.some((name) => name.endsWith('.bin')))
    return 'Its weights are in the old .bin format, which can contain code. Download the safetensors version.'
  return 'Its weights are missing. Download the complete model.'
}
