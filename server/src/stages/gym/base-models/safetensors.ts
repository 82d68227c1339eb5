import fs from 'node:fs/promises'
import path from 'node:path'
import { openRegular } from '#server/foreign/index.ts'

export interface Tensor {
  name: string
  dtype: string
  shape: number[]
}

/** A header has a few kilobytes of JSON per layer. A larger length means that the file is damaged. */
const MAX_HEADER = 100 * 1024 * 1024

/**
 * Names, types and shapes of a model's tensors, from the headers of its .safetensors files. Null if it has no such files.
 * Throws a sentence if a file is damaged. Format: the first eight bytes are the length of a JSON header, little endian
 * (safetensors 0.4).
 */
export async function tensorsOf(folder: string): Promise<{ tensors: Tensor[]; bytes: number } | null> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.safetensors') && !name.startsWith('adapter_')).toSorted()
  if (names.length === 0) return null
  const tensors: Tensor[] = []
  let bytes = 0
  for (const name of names) {
    const file = path.join(folder, name)
    const found = await headerOf(file)
    bytes += found.bytes
    tensors.push(...found.tensors)
  }
  return { tensors, bytes }
}

async function headerOf(file: string): Promise<{ tensors: Tensor[]; bytes: number }> {
  const handle = await openRegular(file)
  try {
    const { size } = await handle.stat()
    const start = Buffer.alloc(8)
    const { bytesRead } = await handle.read(start, 0, 8, 0)
    const length = bytesRead === 8 ? Number(start.readBigUInt64LE()) : Number.NaN
    if (!(length <= MAX_HEADER && length + 8 <= size)) throw new Error(`${file} is not a complete .safetensors file.`)
    const header = Buffer.alloc(length)
    await handle.read(header, 0, length, 8)
    const { __metadata__: _, ...entries } = JSON.parse(header.toString('utf8')) as Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }> // prettier-ignore
    const tensors = Object.entries(entries).map(([name, { dtype, shape }]) => ({ name, dtype, shape }))
    const end = Math.max(0, ...Object.values(entries).map((one) => one.data_offsets[1]))
    if (8 + length + end > size) throw new Error(`${file} ends before its last tensor: the download is incomplete.`)
    return { tensors, bytes: size }
  } finally {
    await handle.close()
  }
}

export const countOf = ({ shape }: Tensor): number => shape.reduce((product, size) => product * size, 1)
