import type { RepoFile } from '#server/adapters/hub/index.ts'

const WHOLE = 'model.safetensors'
const SHARD = /^model-\d{5}-of-\d{5}\.safetensors$/
const INDEX = 'model.safetensors.index.json'
const SMALL = /^(?:[\w.-]+\.(?:json|jinja|txt)|tokenizer\.model|(?:LICENSE|LICENCE|NOTICE|USE_POLICY|README)(?:\.\w+)?)$/i

/**
 * The files that training needs: weights (safetensors, in one file or in parts), configuration, tokenizer, template,
 * licence. Excludes other formats and precisions of the same weights, code, and subfolders.
 */
export function neededFiles(files: readonly RepoFile[]): RepoFile[] {
  const topLevel = files.filter(({ path }) => !path.includes('/'))
  const isWhole = topLevel.some(({ path }) => path === WHOLE)
  return topLevel.filter(({ path }) => {
    if (path === WHOLE) return true
    if (path === INDEX || SHARD.test(path)) return !isWhole
    return SMALL.test(path) && !path.endsWith('.index.json')
  })
}

/** Why a repository contains no model that can be trained; null if it contains one. */
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
