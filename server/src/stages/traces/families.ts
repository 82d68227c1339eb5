import type { Lists } from './list.ts'

/**
 * Sessions that share records: forks, and continuations that copied earlier records. Returns pairs of trace ids; larger
 * families are chains of pairs. Compares records (uuid, or message and request id), never texts. Runs in a worker,
 * because it reads every answer of the archive.
 */
export async function familiesOf({ query }: Lists): Promise<[string, string][]> {
  const pairs = (rows: string, by: string) =>
    `SELECT first, trace FROM (SELECT min(trace) OVER (PARTITION BY ${by}) AS first, trace FROM ${rows}) WHERE first <> trace`
  const sql = `SELECT DISTINCT a.id AS a, b.id AS b FROM (
      ${pairs('responses', 'key')} UNION ${pairs("entries WHERE kind = 'prompt'", 'shared')}
    ) JOIN traces a ON a.no = first JOIN traces b ON b.no = trace ORDER BY 1, 2`
  const [rows] = (await query([{ sql, params: [] }], false)) as [{ a: string; b: string }[]]
  return rows.map(({ a, b }) => [a, b])
}
