import fs from 'node:fs'
import path from 'node:path'
import { countOf, isGguf, readGguf } from '#server/stages/gym/base-models/gguf.ts'

/** Why a base model is not where the run found it; null: it is. */
export function baseProblem(base: string): string | null {
  if (isGguf(base)) return fs.existsSync(base) ? null : `The base model is missing: there is no file ${base}.`
  return fs.existsSync(path.join(base, 'config.json')) ? null : `The base model is missing: there is no config.json in ${base}.`
}

/** Numbers in the weights of a GGUF file. */
export const numbersInGguf = async (file: string): Promise<number> =>
  (await readGguf(file)).tensors.reduce((sum, tensor) => sum + countOf(tensor), 0)

export { isGguf }
