import { AppError } from '#contracts/errors.ts'
import type { MovingContext } from '#server/workers/thread.ts'
import { free } from '#server/workers/free.ts'
import { chunks, readManifest } from '../capture/archive/reader.ts'
import type { ArchivedSource } from '../capture/types.ts'
import type { DeriveInput, DeriveOutput } from './derived.ts'
import { createReader } from './readers/create.ts'
import { ReaderCache } from './readers/reader-cache.ts'
import { loadAnalysers } from './load-analysers.ts'
import type { Reader, RowSink } from './readers/reader.ts'
import { RowPacker } from './slices.ts'

/** Readers of live sessions in this thread. 500,000 entries take at most about 300 MB. */
const readerCache = new ReaderCache({ readers: 64, entries: 500_000 })

/** Rows of one session, packed for transfer to another thread. */
export default async function derive(input: DeriveInput, { transfer }: Pick<MovingContext, 'transfer'>): Promise<DeriveOutput> {
  const rows = new RowPacker(input.traceId)
  const output = await deriveFromArchive(input, rows)
  return { ...output, packed: rows.finish(transfer) }
}

/**
 * Rows of one session from its archived bytes. With `keep` the reader stays in this thread and the next growth costs only its
 * new bytes; otherwise the whole session is read. `rows` receives the rows instead of the output.
 */
export async function deriveFromArchive(input: DeriveInput, rows?: RowSink): Promise<DeriveOutput> {
  const sources = readManifest(input.traceDir)
  const key = JSON.stringify([input.traceId, input.analysers])
  const reader =
    readerCache.take(key) ?? createReader(agentOf(sources), { ...idsOf(input, sources), analysers: await loadAnalysers(input.analysers) })
  feed(reader, sources)
  const output = reader.output(input.since, { ...(rows && { rows }), isLast: !input.keep })
  if (input.keep) readerCache.put(key, reader)
  return output
}

/** Structured results (hooks) and links (meta) first, then the conversations. */
const ORDER: Record<ArchivedSource['kind'], number> = { hooks: 0, meta: 1, 'tool-result': 2, main: 3, subagent: 4 }

function feed(reader: Reader, sources: ArchivedSource[]): void {
  for (const source of sources.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind] || a.generation - b.generation)) {
    if (source.kind === 'tool-result') {
      reader.noteFile(source, source.bytes)
      continue
    }
    let position = reader.position(source)
    try {
      for (const bytes of chunks(source, position)) {
        reader.feed(source, position, bytes)
        position += bytes.length
        free(bytes)
      }
    } catch (error) {
      // The newest generation has the content of a damaged older one, unless it is lost.
      const isReplaced = sources.some(({ name, generation }) => name === source.name && generation > source.generation)
      if (!isReplaced || !(error instanceof AppError && error.code === 'archive_damaged')) throw error
    }
  }
}

const agentOf = (sources: ArchivedSource[]): ArchivedSource['agent'] => sources[0]?.agent ?? 'claude-code'

const idsOf = (input: DeriveInput, sources: ArchivedSource[]): { traceId: string; sessionId: string } => ({
  traceId: input.traceId,
  sessionId: sources[0]?.sessionId ?? '',
})
