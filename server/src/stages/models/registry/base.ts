import fs from 'node:fs'
import path from 'node:path'
import { countOf, isGguf, readGguf } from '#server/stages/gym/base-models/gguf.ts'

/** An error message if the base model is missing, otherwise null. */
export function baseProblem(base: string): string | null {
  if (isGguf(base)) return fs.existsSync(base) ? null : `The base model is missing: there is no file ${base}.`
  return fs.existsSync(path.join(base, 'config.json')) ? null : `The base model is missing: there is no config.json in ${base}.`
}

/** Number of parameters in a GGUF file. */
export const parametersInGguf = async (file: string): Promise<number> =>
  (await readGguf(file)).tensors.reduce((sum, tensor) => sum + countOf(tensor), 0)

export { isGguf }
