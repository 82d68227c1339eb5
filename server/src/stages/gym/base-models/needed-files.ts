import type { RepoFile } from '#server/adapters/hub/index.ts'

const WHOLE = 'model.safetensors'
const SHARD = /^model-\d{5}-of-\d{5}\.safetensors$/
const INDEX = 'model.safetensors.index.json'
const SMALL = /^(?:[\w.-]+\.(?:json|jinja|txt)|tokenizer\.model|(?:LICENSE|LICENCE|NOTICE|USE_POLICY|README)(?:\.\w+)?)$/i

/**
 * What training needs of a repository: weights once (safetensors, in one file or in parts), configuration, tokenizer,
 * template, licence. No other formats or precisions of the same weights, no code, nothing of its folders.
 */
export function neededFiles(files: readonly RepoFile[]): RepoFile[] {
  const top = files.filter(({ path }) => !path.includes('/'))
  const isWhole = top.some(({ path }) => path === WHOLE)
  return top.filter(({ path }) => {
    if (path === WHOLE) return true
    if (path === INDEX || SHARD.test(path)) return !isWhole
    return SMALL.test(path) && !path.endsWith('.index.json')
  })
}

/** Why a repository holds nothing that can be trained; null: it does. */
export function filesProblem(files: readonly RepoFile[]): string | null {
  const names = new Set(files.map(({ path }) => path))
  const has = (pattern: RegExp) => files.some(({ path }) => pattern.test(path))
  if (!names.has('config.json')) {
    if (names.has('adapter_config.json')) return 'It is an adapter. Choose the model that it belongs to.'
    return has(/\.gguf$/i) ? 'It holds GGUF files. Choose the repository with the original weights.' : 'It has no config.json, so it is not a model that can be trained.' // prettier-ignore
  }
  if (!names.has(WHOLE) && !(names.has(INDEX) && has(SHARD)))
    return has(/\.bin$/)
      ? 'Its weights are in the old .bin format, which can contain code. Choose a version with safetensors.'
      : 'It has no weights in the safetensors format.'
  return names.has('tokenizer.json') || names.has('tokenizer.model') ? null : 'It has no tokenizer (tokenizer.json).'
}
