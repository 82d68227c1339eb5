import fs from 'node:fs'
import path from 'node:path'
import type { BlobPlace, Changes } from '#server/adapters/git/changes.ts'
import { oidOf } from './tree/found.ts'

/** Appends the contents of blobs to a file, and returns the position of each. */
export type BlobReader = (oids: readonly string[], file: string) => Promise<Map<string, BlobPlace>>

/** Collects the bytes that one hand-back needs in a file, under their git blob ids. */
export function createContents({ blobs }: Pick<Changes, 'blobs'>, scratch: string, signal: AbortSignal) {
  const file = path.join(scratch, 'contents')
  const places = new Map<string, BlobPlace>()
  fs.writeFileSync(file, '', { mode: 0o600 })

  const placeOf = (oid: string): BlobPlace => {
    const place = places.get(oid)
    if (place === undefined) throw new Error(`The contents ${oid} were not read`)
    return place
  }
  return {
    file,
    placeOf,
    /** Reads blobs of one of our repositories, or those that `read` reads. */
    async load(from: string | BlobReader, oids: Iterable<string>): Promise<void> {
      const missing = [...new Set(oids)].filter((oid) => !places.has(oid))
      const read = typeof from === 'string' ? (ids: readonly string[]) => blobs(from, ids, file, signal) : from
      for (const [oid, place] of await read(missing, file)) places.set(oid, place)
    },
    async add(bytes: Buffer): Promise<string> {
      const oid = oidOf(bytes)
      if (places.has(oid)) return oid
      const { size: at } = await fs.promises.stat(file)
      await fs.promises.appendFile(file, bytes)
      places.set(oid, { at, size: bytes.length })
      return oid
    },
    has: (oid: string): boolean => places.has(oid),
    async read(oid: string): Promise<Buffer> {
      const { at, size } = placeOf(oid)
      const bytes = Buffer.alloc(size)
      const from = await fs.promises.open(file)
      try {
        if (size > 0 && (await from.read(bytes, 0, size, at)).bytesRead < size) throw new Error(`${file} is too short`)
        return bytes
      } finally {
        await from.close()
      }
    },
  }
}

export type Contents = ReturnType<typeof createContents>
