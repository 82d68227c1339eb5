/** Worker that reads the files of an artifact: their hashes and the number of parameters. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { sha256OfOpened } from '#server/file-hash.ts'
import { openLinked, openPlain } from '#server/foreign/index.ts'
import { isGguf, parametersInGguf } from './base.ts'
import { filesOf, type RecordedFile } from './files.ts'

const MAX_HEADER_BYTES = 100 * 1024 * 1024

export interface InspectInput {
  /** Folder or file. */
  place: string
  /** Folder or GGUF file whose parameters are counted; null to count none. */
  weights: string | null
}

export interface Inspected {
  files: RecordedFile[]
  bytes: number
  /** Hash of the file; for a folder, hash of the lines `<sha256>  <name>`. */
  sha256: string
  parameters: number | null
}

export default async function inspect({ place, weights }: InspectInput): Promise<Inspected> {
  const files = filesOf(fs.realpathSync(place)).map(({ name, file }): RecordedFile => {
    const handle = openPlain(file)
    try {
      const { size, mtimeMs } = fs.fstatSync(handle)
      return { name, bytes: size, modified: Math.round(mtimeMs), sha256: sha256OfOpened(handle) }
    } finally {
      fs.closeSync(handle)
    }
  })
  const whole = createHash('sha256')
  for (const { name, sha256 } of files) whole.update(`${sha256}  ${name}\n`)
  return {
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    sha256: files.length === 1 && files[0]!.name === '' ? files[0]!.sha256 : whole.digest('hex'),
    parameters: weights === null ? null : isGguf(weights) ? await parametersInGguf(weights) : parametersOf(weights),
  }
}

/** Counts parameters by the headers of safetensors files: eight bytes of length, then JSON with the shape of each tensor. */
function parametersOf(folder: string): number | null {
  if (!fs.existsSync(folder)) return null
  const names = fs.readdirSync(folder).filter((name) => /^model.*\.safetensors$/.test(name))
  if (names.length === 0) return null
  return names.reduce((sum, name) => sum + parametersInFile(folder, name), 0)
}

function parametersInFile(folder: string, name: string): number {
  const handle = openLinked(folder, name)
  try {
    const head = Buffer.alloc(8)
    fs.readSync(handle, head, 0, 8, 0)
    const length = Number(head.readBigUInt64LE())
    if (length > Math.min(MAX_HEADER_BYTES, fs.fstatSync(handle).size))
      throw new Error(`${path.join(folder, name)} is not a complete .safetensors file.`)
    const text = Buffer.alloc(length)
    fs.readSync(handle, text, 0, text.length, 8)
    const tensors = JSON.parse(text.toString('utf8')) as Record<string, { shape?: number[] }> // the file format's header
    return Object.values(tensors).reduce((sum, { shape }) => sum + (shape?.reduce((product, size) => product * size, 1) ?? 0), 0)
  } finally {
    fs.closeSync(handle)
  }
}
