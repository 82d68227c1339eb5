import type { Agent } from '#contracts/entities/common.ts'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { deriveFromArchive } from './derive.job.ts'
import type { DerivedTrace, EntryRow, ResponseRow } from './derived.ts'
import page from './page.job.ts'
import { traceDirOf } from './rows.ts'

export interface ArchivedSession {
  trace: DerivedTrace
  /** As on the page of the session. */
  entries: EntryRow[]
  /** With the keys that entries use, which are in no table. */
  responses: ResponseRow[]
  /** The content of the entries in order, texts and outputs in full. */
  items: TranscriptItem[]
}

/** A session read only from the archive, with the usage of each response; for jobs in workers. */
export async function readArchived(archive: string, agent: Agent, traceId: string): Promise<ArchivedSession> {
  const traceDir = traceDirOf(archive, agent, traceId)
  const { trace, entries, responses } = await deriveFromArchive({ traceId, traceDir, keep: false, since: null, analysers: [] })
  return { trace, entries, responses, items: page({ traceDir, entries: entries.map((row) => ({ row })), untruncated: true }) }
}
