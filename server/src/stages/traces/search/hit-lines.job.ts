import { fold } from '#contracts/fold.ts'
import { lineWith, type FoundLine } from '#contracts/found-line.ts'
import { openReadOnly, type Database } from '#server/db/open.ts'
import { readManifest } from '#server/stages/capture/index.ts'
import { MAX_HITS } from '../filter/where.ts'
import { traceDirOf, type StoredEntry } from '../rows.ts'
import { piecesOf, textsOf } from './pieces.ts'

export interface HitLinesInput {
  database: string
  search: string
  archive: string
  /** The FTS5 expression, and its words, to find in the line. */
  match: string
  words: string[]
  traceIds: string[]
}

export interface HitLine {
  traceId: string
  entryId: string
  line: FoundLine
}

type Hit = Pick<StoredEntry, 'rowid' | 'id' | 'kind' | 'location' | 'result'> & { traceId: string; agent: string; title: string | null }

let connection: { key: string; db: Database } | null = null

function connect({ database, search }: HitLinesInput): Database {
  const key = `${database}\0${search}`
  if (connection?.key === key) return connection.db
  connection?.db.close()
  const db = openReadOnly(database)
  db.prepare('ATTACH DATABASE ? AS search').run(search)
  connection = { key, db }
  return db
}

/** Entries of a session that are read for a line that its title does not show. */
const TRIES = 4

/**
 * For each of these sessions the line of the first entry with the words that its title does not show already, read from
 * the archive because the index stores no text.
 */
export default function hitLines(input: HitLinesInput): HitLine[] {
  const hits = connect(input)
    .prepare<[string, string], Hit>(
      `WITH wanted AS MATERIALIZED (SELECT no, id, agent, title FROM traces WHERE id IN (SELECT value FROM json_each(?))),
         hits AS MATERIALIZED (SELECT rowid FROM search.docs WHERE docs MATCH ? ORDER BY rowid DESC LIMIT ${MAX_HITS + 1}),
         ranked AS MATERIALIZED (
           SELECT p.rowid AS rowid, row_number() OVER (PARTITION BY p.trace ORDER BY p.rowid) AS rank
           FROM hits CROSS JOIN search.places p ON p.rowid = hits.rowid WHERE p.trace IN (SELECT no FROM wanted))
       SELECT e.rowid, e.id, e.kind, e.location, e.result, w.id AS traceId, w.agent, w.title
       FROM ranked CROSS JOIN entries e ON e.rowid = ranked.rowid JOIN wanted w ON w.no = e.trace
       WHERE ranked.rank <= ${TRIES} ORDER BY e.rowid`,
    )
    .all(JSON.stringify(input.traceIds), input.match)
  return Map.groupBy(hits, ({ traceId }) => traceId)
    .values()
    .flatMap((ofTrace): HitLine[] => {
      for (const hit of ofTrace) {
        const line = lineOf(hit, input)
        if (line && !isInTitle(line, hit.title)) return [{ traceId: hit.traceId, entryId: hit.id, line }]
      }
      return []
    })
    .toArray()
}

/** Whether the title, which is often the first prompt, shows this hit with what is before it in its line. */
const isInTitle = ({ before, match }: FoundLine, title: string | null): boolean =>
  title !== null && squash(title).includes(squash(before.replace(/^…/, '') + match))
const squash = (text: string) => fold(text).replaceAll(/\s+/g, ' ').trim()

/** Null if the session was deleted or damaged in the meantime. */
function lineOf(hit: Hit, { archive, words }: HitLinesInput): FoundLine | null {
  try {
    const [entry] = textsOf(readManifest(traceDirOf(archive, hit.agent, hit.traceId)), piecesOf(hit))
    for (const word of words) {
      const line = entry && lineWith(entry.text, word)
      if (line) return line
    }
  } catch {
    // `verify` reports the damage
  }
  return null
}
