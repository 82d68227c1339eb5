import path from 'node:path'
import { openRegular } from '#server/foreign/index.ts'
import { countOf, type Tensor } from './safetensors.ts'

export { countOf }

/** Whether the name is that of a GGUF file. Ollama names its files by their hash. */
export const isGguf = (place: string): boolean =>
  path.extname(place).toLowerCase() === '.gguf' || /^sha256-[0-9a-f]{64}$/.test(path.basename(place))

export type GgufValue = number | string | boolean | readonly GgufValue[] | { length: number }

/** The header of a GGUF file, before its weights. */
export interface GgufHeader {
  /** Values by key. A list of texts is reduced to its length. */
  values: ReadonlyMap<string, GgufValue>
  /** Outermost dimension first, like PyTorch; `dtype` is ggml's name. */
  tensors: Tensor[]
  /** Size of the file. */
  bytes: number
}

/** ggml's number types by id: name, numbers per block, bytes per block. */
const TYPES: Readonly<Record<number, readonly [name: string, block: number, bytes: number]>> = {
  0: ['F32', 1, 4],
  1: ['F16', 1, 2],
  2: ['Q4_0', 32, 18],
  3: ['Q4_1', 32, 20],
  6: ['Q5_0', 32, 22],
  7: ['Q5_1', 32, 24],
  8: ['Q8_0', 32, 34],
  10: ['Q2_K', 256, 84],
  11: ['Q3_K', 256, 110],
  12: ['Q4_K', 256, 144],
  13: ['Q5_K', 256, 176],
  14: ['Q6_K', 256, 210],
  16: ['IQ2_XXS', 256, 66],
  17: ['IQ2_XS', 256, 74],
  18: ['IQ3_XXS', 256, 98],
  19: ['IQ1_S', 256, 50],
  20: ['IQ4_NL', 32, 18],
  21: ['IQ3_S', 256, 110],
  22: ['IQ2_S', 256, 82],
  23: ['IQ4_XS', 256, 136],
  29: ['IQ1_M', 256, 56],
  30: ['BF16', 1, 2],
  34: ['TQ1_0', 256, 54],
  35: ['TQ2_0', 256, 66],
  39: ['MXFP4', 32, 17],
}

const FIRST_BYTES = 1 << 20
/** A vocabulary of a million words takes about 30 MB. */
const MAX_BYTES = 1 << 28
const ALIGNMENT = 32

/**
 * Reads the header of a GGUF file (versions 2 and 3, little endian), but no weights. Throws a sentence if the file is not
 * GGUF, has an unknown type, or ends before its last tensor.
 */
export async function readGguf(file: string): Promise<GgufHeader> {
  const handle = await openRegular(file)
  try {
    const { size } = await handle.stat()
    for (let length = Math.min(size, FIRST_BYTES); ; length = Math.min(size, length * 4)) {
      const buffer = Buffer.alloc(length)
      await handle.read(buffer, 0, length, 0)
      try {
        return parse(buffer, size)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error // a RangeError means that the buffer ended: more of the file is needed
        if (length === size || length >= MAX_BYTES)
          throw new Error('The file ends inside its header: the download is incomplete.', { cause: error })
      }
    }
  } finally {
    await handle.close()
  }
}

function parse(buffer: Buffer, size: number): GgufHeader {
  if (buffer.toString('latin1', 0, 4) !== 'GGUF') throw new Error('It is not a GGUF file.')
  const reader = new Reader(buffer, 4)
  const version = reader.u32()
  if (version !== 2 && version !== 3) throw new Error(`It is a GGUF of version ${version}; only versions 2 and 3 are supported.`)
  const tensorCount = reader.u64()
  const valueCount = reader.u64()
  const values = new Map<string, GgufValue>()
  for (let at = 0; at < valueCount; at += 1) values.set(reader.text(), reader.value(reader.u32()))
  const found = Array.from({ length: reader.bounded(tensorCount) }, () => reader.tensor())
  const alignment = values.get('general.alignment') ?? ALIGNMENT
  const start = Math.ceil(reader.at / Number(alignment)) * Number(alignment)
  for (const { tensor, offset, blockSize, blockBytes } of found)
    if (start + offset + (countOf(tensor) / blockSize) * blockBytes > size)
      throw new Error('The file ends before its last tensor: the download is incomplete.')
  return { values, tensors: found.map(({ tensor }) => tensor), bytes: size }
}

const TEXT = 8
const LIST = 9

/** Reads values from `at` on. Throws a RangeError at the end of the buffer. */
class Reader {
  at: number
  readonly #buffer: Buffer

  constructor(buffer: Buffer, at: number) {
    this.#buffer = buffer
    this.at = at
  }

  u32(): number {
    return this.#buffer.readUInt32LE((this.at += 4) - 4)
  }

  u64(): number {
    return Number(this.#buffer.readBigUInt64LE((this.at += 8) - 8))
  }

  /** Checks a count of things that take at least one byte each. */
  bounded(count: number): number {
    if (count > this.#buffer.length - this.at) throw new RangeError('beyond what was read')
    return count
  }

  text(): string {
    const from = this.#text()
    return this.#buffer.toString('utf8', from, this.at)
  }

  /** Skips a text, and returns where it begins. */
  #text(): number {
    const length = this.bounded(this.u64())
    this.at += length
    return this.at - length
  }

  value(kind: number): GgufValue {
    const buffer = this.#buffer
    switch (kind) {
      case 0:
        return buffer.readUInt8((this.at += 1) - 1)
      case 1:
        return buffer.readInt8((this.at += 1) - 1)
      case 2:
        return buffer.readUInt16LE((this.at += 2) - 2)
      case 3:
        return buffer.readInt16LE((this.at += 2) - 2)
      case 4:
        return this.u32()
      case 5:
        return buffer.readInt32LE((this.at += 4) - 4)
      case 6:
        return buffer.readFloatLE((this.at += 4) - 4)
      case 7:
        return buffer.readUInt8((this.at += 1) - 1) !== 0
      case TEXT:
        return this.text()
      case LIST:
        return this.#list(this.u32(), this.bounded(this.u64()))
      case 10:
        return this.u64()
      case 11:
        return Number(buffer.readBigInt64LE((this.at += 8) - 8))
      case 12:
        return buffer.readDoubleLE((this.at += 8) - 8)
      default:
        throw new Error(`Its header contains a value of unknown type ${kind}.`)
    }
  }

  #list(kind: number, length: number): GgufValue {
    if (kind !== TEXT) return Array.from({ length }, () => this.value(kind))
    for (let at = 0; at < length; at += 1) this.#text()
    return { length }
  }

  tensor(): { tensor: Tensor; offset: number; blockSize: number; blockBytes: number } {
    const name = this.text()
    const shape = Array.from({ length: this.bounded(this.u32()) }, () => this.u64()).toReversed()
    const type = this.u32()
    const [dtype, blockSize, blockBytes] = TYPES[type] ?? []
    if (dtype === undefined || blockSize === undefined || blockBytes === undefined)
      throw new Error(`The weights ${name} are of ggml's type ${type}, which cannot be unpacked.`)
    return { tensor: { name, dtype, shape }, offset: this.u64(), blockSize, blockBytes }
  }
}
