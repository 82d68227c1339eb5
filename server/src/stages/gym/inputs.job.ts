import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sha256Of } from '#server/file-hash.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { isGguf } from './base-models/gguf.ts'

export interface InputsInput {
  /** Folder of the run: `inputs.json` in it is what the trainer wrote when the run began. */
  folder: string
  data: string[]
  /** Folder or GGUF file of the base model; null: its files have the same names, sizes and times as then. */
  model: string | null
  teacher: string | null
  /** Folder with the code of the trainers, and which of it trains. */
  trainers: string
  strategy: string
  /** Versions of the packages of the interpreter that would go on; one that is not named is not compared. */
  packages: Readonly<Record<string, string>>
}

interface Inputs {
  data: Record<string, string>
  model: string
  trainer: string
  teacher?: string
  libraries?: Record<string, string>
}

/** What of a run's inputs has another content than when it began, in words; by the rules of `bashgym_trainers/inputs.py`. */
export default function changedInputs(input: InputsInput, { signal }: Pick<JobContext, 'signal'>): string[] {
  const file = path.join(input.folder, 'inputs.json')
  if (!fs.existsSync(file)) return [] // it never got as far as reading them
  const before = JSON.parse(fs.readFileSync(file, 'utf8')) as Inputs // written by the trainer
  const sha = (name: string) => sha256Of(name, signal)
  const dataChanged = input.data.some((name) => !fs.existsSync(name) || sha(name) !== before.data[name])
  const isOther = (folder: string | null, was: string | undefined) => folder !== null && modelHash(folder, sha) !== was
  return [
    ...(dataChanged ? ['the data'] : []),
    ...(isOther(input.model, before.model) ? ['the base model'] : []),
    ...(isOther(input.teacher, before.teacher) ? ['the teacher'] : []),
    ...(codeHash(input.trainers, input.strategy) === before.trainer ? [] : ['the trainer']),
    ...Object.entries(before.libraries ?? {}).flatMap(([name, was]) => {
      const is = input.packages[name]
      return is === undefined || is === was ? [] : [`the library ${name} (${was} then, ${is} now)`]
    }),
  ]
}

const byName = (a: string, b: string) => (a < b ? -1 : 1)

function modelHash(folder: string, sha: (file: string) => string): string {
  if (!fs.existsSync(folder)) return 'gone'
  const files = isGguf(folder) ? [folder] : fs.readdirSync(folder).filter((name) => /\.(?:json|safetensors|bin|jinja)$/.test(name)).toSorted(byName).map((name) => path.join(folder, name)) // prettier-ignore
  return hash('sha256', files.map((file) => `${path.basename(file)} ${sha(file)}`).join('\n'))
}

const IMPORT = /^\s*from \.(\w+) import/gm

/** Of the files that a run of the strategy is made by: those that `train` and it import, and what these do. */
function codeHash(trainers: string, strategy: string): string {
  const found = new Map<string, Buffer>()
  const left = ['train', strategy]
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (found.has(name)) continue
    const code = fs.readFileSync(path.join(trainers, 'bashgym_trainers', `${name}.py`))
    found.set(name, code)
    left.push(...[...code.toString('utf8').matchAll(IMPORT)].map(([, imported]) => imported!))
  }
  const digest = createHash('sha256')
  for (const name of [...found.keys()].toSorted(byName)) digest.update(found.get(name)!)
  return digest.digest('hex')
}
