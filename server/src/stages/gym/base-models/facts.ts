import fs from 'node:fs/promises'
import path from 'node:path'
import { readLinkedOrNull } from '#server/foreign/index.ts'
import { licenseIn } from '#server/adapters/hub/license.ts'
import { configFacts, type Json, jsonOf } from './config-facts.ts'
import { ggufFacts } from './gguf-facts.ts'
import { isGguf } from './gguf.ts'
import type { ModelFacts, TemplateFiles } from './model-facts.ts'
import { countOf, tensorsOf } from './safetensors.ts'

/** A card or a configuration has some kilobytes, a configuration with every added token some megabytes. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024

const cache = new Map<string, { stamp: string; facts: Promise<ModelFacts> }>()

/** Facts of a model's folder or GGUF file, cached until its files change. Never rejects: errors become `problem`. */
export async function factsOf(folder: string): Promise<ModelFacts> {
  const stamp = await stampOf(folder)
  const cached = cache.get(folder)
  if (cached?.stamp === stamp) return cached.facts
  const facts = isGguf(folder) ? readGgufFacts(folder) : readFacts(folder)
  cache.set(folder, { stamp, facts })
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
  template: null,
  problem: null,
}

const readGgufFacts = (file: string): Promise<ModelFacts> =>
  ggufFacts(file).catch((error: unknown) => ({ ...NOTHING, format: 'gguf', problem: (error as Error).message }))

async function readFacts(folder: string): Promise<ModelFacts> {
  const config = json(folder, 'config.json')
  const license = licenseIn(text(folder, 'README.md'))
  const template = templateOf(folder)
  if (config === null) return { ...NOTHING, license, template, problem: 'Its config.json cannot be read.' }
  const { problem: configProblem, ...shape } = configFacts(config)
  const knownFacts = { ...NOTHING, ...shape, license, template }
  try {
    const weights = await tensorsOf(folder)
    if (weights === null) return { ...knownFacts, problem: await weightsProblem(folder) }
    const { tensors, bytes } = weights
    const parameters = tensors.reduce((sum, tensor) => sum + countOf(tensor), 0)
    const problem = configProblem ?? (await tokenizerProblem(folder))
    return { ...knownFacts, parameters, tensors, bytes, problem }
  } catch (error) {
    return { ...knownFacts, problem: (error as Error).message }
  }
}

const json = (folder: string, name: string): Json | null => jsonOf(text(folder, name))

/** Empty if the file cannot be read. */
const text = (folder: string, name: string): string => readLinkedOrNull(folder, name, MAX_TEXT_BYTES) ?? ''

const templateOf = (folder: string) =>
  templateFilesOf(text(folder, 'chat_template.jinja') || null, text(folder, 'tokenizer_config.json') || null)

/** Null if neither file has a chat template. */
export const templateFilesOf = (jinja: string | null, config: string | null): TemplateFiles | null =>
  jinja !== null || Boolean(jsonOf(config ?? '')?.['chat_template']) ? { jinja, config } : null

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
