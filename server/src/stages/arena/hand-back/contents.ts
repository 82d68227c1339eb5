import fs from 'node:fs'
import path from 'node:path'
import type { BlobPlace, Changes } from '#server/adapters/git/changes.ts'
import { oidOf } from './tree/found.ts'

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
    /** Reads blobs of a repository. */
    async load(gitDir: string, oids: Iterable<string>): Promise<void> {
      const missing = [...new Set(oids)].filter((oid) => !places.has(oid))
      for (const [oid, place] of await blobs(gitDir, missing, file, signal)) places.set(oid, place)
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
