import { setTimeout as sleep } from 'node:timers/promises'
import { parseFilter } from '#contracts/filter.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { allPages, type Connection, type Context } from './command.ts'
import { formatBytes } from './format.ts'

const POLL_MS = 100
/** Without progress for this long, what is missing is said instead. */
const PATIENCE_MS = 10_000

/** Waits until a filter with words searches the text of every session: right after an import some of it isn't indexed yet. */
export async function whenSearchable(
  context: Pick<Context, 'note' | 'signal'>,
  { client }: Pick<Connection, 'client'>,
  q: string | undefined,
): Promise<void> {
  if (q === undefined || !parseFilter(q).terms.some(({ value }) => value.kind === 'text')) return
  let [least, since] = [Infinity, Date.now()]
  for (;;) {
    const { indexing } = await client.getCapture()
    if (indexing === null) return
    if (indexing.pendingEntries < least) [least, since] = [indexing.pendingEntries, Date.now()]
    if (Date.now() - since > PATIENCE_MS)
      return context.note(
        `Text of ${indexing.pendingEntries} entries can't be searched yet, so sessions may be missing. See \`bashgym verify\`.`,
      )
    if (least !== Infinity && Date.now() - since > 1000) context.note(`indexing for search: ${formatBytes(indexing.pendingBytes)} left`)
    await sleep(POLL_MS, undefined, { signal: context.signal })
  }
}

/** Every session of a filter. */
export async function sessionsOf(
  context: Pick<Context, 'note' | 'signal'>,
  connection: Pick<Connection, 'client'>,
  q: string | undefined,
): Promise<Trace[]> {
  await whenSearchable(context, connection, q)
  return allPages((page) => connection.client.listTraces({ query: { ...page, ...(q !== undefined && { q }) } }))
}
