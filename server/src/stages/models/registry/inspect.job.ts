/** Worker: reads the files of an artifact once: their hashes, and how many numbers the weights hold. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sha256Of } from '#server/file-hash.ts'
import { isGguf, numbersInGguf } from './base.ts'
import { filesOf, type KnownFile } from './files.ts'

export interface InspectInput {
  /** Folder or file. */
  place: string
  /** Folder whose safetensors are counted, or a GGUF file, if any. */
  weights: string | null
}

export interface Inspected {
  files: KnownFile[]
  bytes: number
  /** Of one file its hash; of a folder the hash of the lines `<sha256>  <name>`. */
  sha256: string
  parameters: number | null
}

export default async function inspect({ place, weights }: InspectInput): Promise<Inspected> {
  const files = filesOf(place).map(({ name, file }): KnownFile => {
    const { size, mtimeMs } = fs.statSync(file)
    return { name, bytes: size, modified: Math.round(mtimeMs), sha256: sha256Of(file) }
  })
  const whole = createHash('sha256')
  for (const { name, sha256 } of files) whole.update(`${sha256}  ${name}\n`)
  return {
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: files.length === 1 && files[0]!.name === '' ? files[0]!.sha256 : whole.digest('hex'),
    parameters: weights === null ? null : isGguf(weights) ? await numbersInGguf(weights) : parametersOf(weights),
  }
}

/** From the heads of safetensors files: eight bytes length, then JSON with the shape of each tensor. */
function parametersOf(folder: string): number | null {
  if (!fs.existsSync(folder)) return null
  const names = fs.readdirSync(folder).filter((name) => /^model.*\.safetensors$/.test(name))
  if (names.length === 0) return null
  return names.reduce((sum, name) => sum + numbersIn(path.join(folder, name)), 0)
}

function numbersIn(file: string): number {
  const handle = fs.openSync(file, 'r')
  try {
    const head = Buffer.alloc(8)
    fs.readSync(handle, head, 0, 8, 0)
    const text = Buffer.alloc(Number(head.readBigUInt64LE()))
    fs.readSync(handle, text, 0, text.length, 8)
    const tensors = JSON.parse(text.toString('utf8')) as Record<string, { shape?: number[] }> // the format's own head
    return Object.values(tensors).reduce((sum, { shape }) => sum + (shape?.reduce((product, size) => product * size, 1) ?? 0), 0)
  } finally {
    fs.closeSync(handle)
  }
}
