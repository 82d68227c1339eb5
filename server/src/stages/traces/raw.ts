import { setImmediate as nextTurn } from 'node:timers/promises'
import { pack } from 'tar-stream'
import type { Bytes } from '#contracts/derive/route.ts'
import { AppError } from '#contracts/errors.ts'
import { chunks, currentSources, readManifest } from '#server/stages/capture/index.ts'
import type { ArchivedSource } from '#server/stages/capture/index.ts'

/** The main file that was archived last: used by `raw.sha256` and `show --raw`. */
export function newestMain(sources: readonly ArchivedSource[]): ArchivedSource | null {
  const mains = sources.filter(({ kind }) => kind === 'main')
  return mains.toSorted((a, b) => a.archivedAt.localeCompare(b.archivedAt) || a.generation - b.generation).at(-1) ?? null
}

/** The archived bytes, unchanged. With `all` a tar of every generation of every source, named `<source>.<generation>`. */
export function rawOf(traceDir: string, traceId: string, choice: { source?: string | undefined; all?: boolean | undefined }): Bytes {
  const sources = readManifest(traceDir)
  if (choice.all) return { stream: tarOf(sources), fileName: `${traceId}.tar`, contentType: 'application/x-tar' }
  const source = choice.source === undefined ? newestMain(sources) : currentSources(sources).find(({ name }) => name === choice.source)
  if (!source) {
    const names = currentSources(sources).map(({ name }) => name)
    throw new AppError('source_not_found', {
      message: `The archive has no ${choice.source === undefined ? 'main file' : `source "${choice.source}"`} for this trace. It has: ${names.join(', ') || 'nothing'}.`,
    })
  }
  return {
    stream: bytesOf(source),
    fileName: source.kind === 'main' ? `${source.sessionId}.jsonl` : `${source.name}.${source.kind === 'meta' ? 'json' : 'jsonl'}`,
    contentType: 'application/octet-stream',
    bytes: source.bytes,
  }
}

/** One frame at a time; other work runs between frames. */
async function* bytesOf(source: ArchivedSource): AsyncGenerator<Uint8Array> {
  for (const frame of chunks(source)) {
    yield frame
    await nextTurn()
  }
}

function tarOf(sources: readonly ArchivedSource[]): AsyncIterable<Uint8Array> {
  const tar = pack()
  const fill = async () => {
    for (const source of sources) {
      const entry = tar.entry({
        name: `${source.name}.${source.generation}`,
        size: source.bytes,
        mtime: new Date(source.archivedAt),
        mode: 0o600,
      })
      const written = new Promise<void>((resolve, reject) => {
        entry.once('finish', resolve)
        entry.once('error', reject)
      })
      for await (const frame of bytesOf(source)) {
        if (!entry.write(frame)) await new Promise<void>((drained) => entry.once('drain', () => drained()))
      }
      entry.end(undefined)
      await written
    }
    tar.finalize()
  }
  fill().catch((error: unknown) => tar.destroy(error as Error))
  return tar as AsyncIterable<Uint8Array> // a streamx stream: its types lack the iterator
}
