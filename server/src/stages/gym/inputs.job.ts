import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sha256Of } from '#server/file-hash.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { isGguf } from './base-models/gguf.ts'

export interface ChangedInputsInput {
  /** Folder of the run, where the trainer wrote `inputs.json` when the run began. */
  folder: string
  data: string[]
  /** Folder or GGUF file of the base model; null if the names, sizes and times of its files are unchanged. */
  model: string | null
  teacher: string | null
  /** Folder with the code of the trainers. */
  trainers: string
  /** Folder with the Python package, which has the reader of calls. */
  clients: string
  strategy: string
  /** Versions of the packages that would continue the run. A package that is not listed is not compared. */
  packages: Readonly<Record<string, string>>
}

interface RecordedInputs {
  data: Record<string, string>
  model: string
  trainer: string
  teacher?: string
  libraries?: Record<string, string>
}

/** Names of the inputs whose content changed since the run began, for an error message. Same rules as `bashgym_trainers/inputs.py`. */
export default function changedInputs(input: ChangedInputsInput, { signal }: Pick<JobContext, 'signal'>): string[] {
  const file = path.join(input.folder, 'inputs.json')
  if (!fs.existsSync(file)) return [] // the trainer never read its inputs
  const recorded = JSON.parse(fs.readFileSync(file, 'utf8')) as RecordedInputs // written by the trainer
  const sha = (name: string) => sha256Of(name, signal)
  const dataChanged = input.data.some((name) => !fs.existsSync(name) || sha(name) !== recorded.data[name])
  const differs = (folder: string | null, was: string | undefined) => folder !== null && modelHash(folder, sha) !== was
  return [
    ...(dataChanged ? ['the data'] : []),
    ...(differs(input.model, recorded.model) ? ['the base model'] : []),
    ...(differs(input.teacher, recorded.teacher) ? ['the teacher'] : []),
    ...(codeHash(input) === recorded.trainer ? [] : ['the trainer']),
    ...Object.entries(recorded.libraries ?? {}).flatMap(([name, then]) => {
      const installed = input.packages[name]
      return installed === undefined || installed === then ? [] : [`the library ${name} (${then} then, ${installed} now)`]
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

const READS_CALLS = /^\s*from bashgym\.calls import/m

/** Hash of the modules that train with the strategy: `train`, the strategy, everything that they import, and the reader of calls. */
function codeHash({ trainers, clients, strategy }: ChangedInputsInput): string {
  const codeByName = new Map<string, Buffer>()
  const pending = ['train', strategy]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (codeByName.has(name)) continue
    const code = fs.readFileSync(path.join(trainers, 'bashgym_trainers', `${name}.py`))
    codeByName.set(name, code)
    pending.push(...[...code.toString('utf8').matchAll(IMPORT)].map(([, imported]) => imported!))
  }
  const digest = createHash('sha256')
  for (const name of [...codeByName.keys()].toSorted(byName)) digest.update(codeByName.get(name)!)
  if ([...codeByName.values()].some((code) => READS_CALLS.test(code.toString('utf8')))) {
    const reader = path.join(clients, 'bashgym', 'calls')
    const files = fs.readdirSync(reader).filter((name) => /\.(?:py|json)$/.test(name)).toSorted(byName) // prettier-ignore
    for (const name of files) digest.update(fs.readFileSync(path.join(reader, name)))
  }
  return digest.digest('hex')
}
