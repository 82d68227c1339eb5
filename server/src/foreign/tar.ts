import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Extract, extract } from 'tar-stream'
import { lookup } from '#contracts/lookup.ts'
import { ForeignFileError } from './errors.ts'
import { partsOf } from './names.ts'

/** Headers of an entry with long names, and the padding of its content. */
const BYTES_PER_ENTRY = 16 * 1024
const MAX_TARGET_BYTES = 4096

export interface TarLimits {
  entries: number
  /** Of all files together. */
  bytes: number
}

interface Named {
  /** The path below the folder, with "/". */
  name: string
}
export type TarEntry = Named &
  (
    | { kind: 'file'; mode: number; size: number; content: AsyncIterable<Buffer> }
    | { kind: 'folder' }
    | { kind: 'link'; target: string }
    /** A FIFO or a device. Nothing is made of it. */
    | { kind: 'other' }
  )

/** An archive that no honest program writes, or that is too large. Nothing of it may be used. */
export class ForeignTarError extends Error {
  override name = 'ForeignTarError'
}

/**
 * The entries of a tar archive that somebody else may have made: every name is a path below the folder, none is given twice,
 * and none is below a link or a file. Throws `ForeignTarError`; entries before that have then been seen.
 */
export function tarEntries(tar: Readable, limits: TarLimits): AsyncGenerator<TarEntry> {
  const reader = extract()
  const sent = pipeline(tar, limitedTo(limits), reader) // at once: the output of a program that has ended is lost if nobody reads it
  sent.catch(() => {}) // the loop rejects with it
  const iterator = reader[Symbol.asyncIterator]() // also at once: it would miss the first entry
  return entriesOf({ found: { [Symbol.asyncIterator]: () => iterator }, sent, limits })
}

interface Reading {
  found: Pick<Extract, typeof Symbol.asyncIterator>
  /** Resolves when the whole archive has been read. */
  sent: Promise<void>
  limits: TarLimits
}

async function* entriesOf({ found, sent, limits }: Reading): AsyncGenerator<TarEntry> {
  const seen = new Map<string, 'folder' | 'leaf'>()
  let bytes = 0
  try {
    for await (const entry of found) {
      const { name: given, type, size, linkname, mode } = entry.header
      const name = plainName(given)
      const kind = KINDS[type ?? ''] // tar-stream has null for kinds that it does not know
      if (kind === undefined) throw refused(given, `is ${type === 'link' ? 'a hard link' : 'of a kind'} that is not unpacked`)
      if (name === '') {
        if (kind !== 'folder') throw refused(given, 'names no file')
      } else {
        note(seen, name, kind)
        if (seen.size > limits.entries) throw new ForeignTarError(`The archive has more than ${limits.entries} files and folders.`)
      }
      if (kind === 'file') {
        bytes += size ?? 0
        if (bytes > limits.bytes) throw new ForeignTarError(`The files of the archive have more than ${limits.bytes} bytes.`)
        yield { name, kind, mode: (mode ?? 0o644) & 0o777, size: size ?? 0, content: entry as AsyncIterable<Buffer> }
      } else if (kind === 'link') yield { name, kind, target: targetOf(given, linkname) }
      else if (name !== '') yield { name, kind }
      entry.resume()
    }
    await sent
  } catch (error) {
    throw isOfReader(error) ? new ForeignTarError(`The archive is damaged: ${error.message}`, { cause: error }) : error
  }
}

const KINDS: Partial<Record<string, TarEntry['kind']>> = lookup({
  file: 'file',
  directory: 'folder',
  symlink: 'link',
  fifo: 'other',
  'character-device': 'other',
  'block-device': 'other',
})

/** tar-stream throws plain errors; those of the source have a code. */
const isOfReader = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'Error' && (error as NodeJS.ErrnoException).code === undefined

const refused = (name: string, why: string, cause?: unknown) =>
  new ForeignTarError(`The archive is refused: ${JSON.stringify(name.slice(0, 300))} ${why}.`, { cause })

/** '' is the folder itself. */
function plainName(given: string): string {
  if (/^\.\/*$/.test(given)) return ''
  const name = given.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (name === '') throw refused(given, 'names no file')
  try {
    partsOf(name)
    return name
  } catch (error) {
    throw error instanceof ForeignFileError ? refused(given, error.reason, error) : error
  }
}

function targetOf(name: string, target: string | null | undefined): string {
  if (!target || target.includes('\0') || Buffer.byteLength(target) > MAX_TARGET_BYTES)
    throw refused(name, 'is a link without a usable target')
  return target
}

/** Adds a name and the folders that it is below. */
function note(seen: Map<string, 'folder' | 'leaf'>, name: string, kind: TarEntry['kind']): void {
  for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
    const folder = name.slice(0, at)
    if (seen.get(folder) === 'leaf') throw refused(name, `is below ${JSON.stringify(folder.slice(0, 300))}, which is not a folder`)
    seen.set(folder, 'folder')
  }
  const before = seen.get(name)
  if (before === 'leaf' || (before === 'folder' && kind !== 'folder')) throw refused(name, 'is in the archive twice')
  seen.set(name, kind === 'folder' ? 'folder' : 'leaf')
}

/** Ends an archive that never does, such as one of empty blocks, which are no entries. */
function limitedTo({ entries, bytes }: TarLimits): Transform {
  const most = bytes + entries * BYTES_PER_ENTRY
  let remaining = most
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remaining -= chunk.length
      if (remaining < 0) done(new ForeignTarError(`The archive is longer than ${most} bytes.`))
      else done(null, chunk)
    },
  })
}
