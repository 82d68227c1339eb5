import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Job } from '#contracts/entities/job.ts'
import type { Model } from '#contracts/entities/model.ts'
import type { Run } from '#contracts/entities/run.ts'
import { AppError, type ErrorCode } from '#contracts/errors.ts'
import type { Trace, TraceDetail } from '#contracts/entities/trace.ts'
import { keys } from './keys.ts'

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
  total: number
}
type Pages<Item> = Page<Item> | InfiniteData<Page<Item>>

/** Replaces the row with the same id wherever it stands; the order stays, so nothing moves under the pointer. */
export function withRow<Item extends { id: string }>(
  data: Pages<Item> | undefined,
  row: Partial<Item> & { id: string },
): Pages<Item> | undefined {
  return mapPages(data, (page) =>
    page.items.some(({ id }) => id === row.id)
      ? { ...page, items: page.items.map((item) => (item.id === row.id ? { ...item, ...row } : item)) }
      : page,
  )
}

/** Takes the row out; the total goes down only where it was listed. */
export function withoutRow<Item extends { id: string }>(data: Pages<Item> | undefined, id: string): Pages<Item> | undefined {
  const listed = data && pagesOf(data).some((page) => page.items.some((item) => item.id === id))
  if (!listed) return data
  return mapPages(data, (page) => ({ ...page, items: page.items.filter((item) => item.id !== id), total: Math.max(0, page.total - 1) }))
}

const pagesOf = <Item>(data: Pages<Item>): Page<Item>[] => ('pages' in data ? data.pages : [data])

function mapPages<Item>(data: Pages<Item> | undefined, change: (page: Page<Item>) => Page<Item>): Pages<Item> | undefined {
  if (!data) return data
  if (!('pages' in data)) return change(data)
  const pages = data.pages.map(change)
  return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages }
}

/** A trace as it is known here: opened, or as a row of a list. */
export function knownTrace(queries: QueryClient, id: string): Trace | undefined {
  const opened = queries.getQueryData<TraceDetail>(keys.trace(id))
  if (opened) return opened
  const lists = [keys.traceLists, keys.traceSearches].flatMap((queryKey) => queries.getQueriesData<Pages<Trace>>({ queryKey }))
  return lists.flatMap(([, data]) => (data ? pagesOf(data).flatMap(({ items }) => items) : [])).find((trace) => trace.id === id)
}

/** A trace that changed: its row in every list, and its detail where that is loaded. */
export function patchTrace(queries: QueryClient, trace: Trace): void {
  for (const queryKey of [keys.traceLists, keys.traceSearches]) {
    queries.setQueriesData<Pages<Trace>>({ queryKey }, (data) => withRow(data, trace))
  }
  queries.setQueryData<TraceDetail>(keys.trace(trace.id), (detail) => (detail ? { ...detail, ...trace } : detail))
}

export function dropTrace(queries: QueryClient, id: string): void {
  for (const queryKey of [keys.traceLists, keys.traceSearches]) {
    queries.setQueriesData<Pages<Trace>>({ queryKey }, (data) => withoutRow(data, id))
  }
  queries.removeQueries({ queryKey: keys.trace(id) })
  queries.removeQueries({ queryKey: keys.traceParts(id) })
}

/**
 * A job that began, went on or ended. New ones come first, as the server lists them. One that has ended stays so: the
 * answer to the call that started it may come after the message of its end.
 */
export function patchJob(queries: QueryClient, job: Job): void {
  const listed = queries.getQueryData<Page<Job>>(keys.jobs)?.items.find(({ id }) => id === job.id)
  const known = [listed, queries.getQueryData<Job>(keys.job(job.id))]
  if (job.endedAt === null && known.some((one) => one !== undefined && one.endedAt !== null)) return
  queries.setQueryData<Page<Job>>(keys.jobs, (data) => {
    if (!data) return data
    if (listed) return withRow(data, job) as Page<Job>
    return { ...data, items: [job, ...data.items], total: data.total + 1 }
  })
  queries.setQueryData<Job>(keys.job(job.id), job)
}

/** What is known anew of a run: in every list and in its own page. False where no list shows it. */
export function patchRun(queries: QueryClient, run: Partial<Run> & { id: string }): boolean {
  let listed = false
  queries.setQueriesData<Pages<Run>>({ queryKey: keys.runLists }, (data) => {
    const next = withRow(data, run)
    listed ||= next !== data
    return next
  })
  queries.setQueryData<Run>(keys.run(run.id), (before) => (before ? { ...before, ...run } : before))
  return listed
}

export function dropRun(queries: QueryClient, id: string): void {
  queries.setQueriesData<Pages<Run>>({ queryKey: keys.runLists }, (data) => withoutRow(data, id))
  forget(queries, keys.run(id), 'run_not_found')
  queries.removeQueries({ queryKey: keys.runPart(id), type: 'inactive' })
}

/** Nothing of it is kept; a page that still shows it says that it is gone, and asks for nothing. */
export function forget(queries: QueryClient, queryKey: QueryKey, code: ErrorCode): void {
  const open = queries.getQueryCache().find({ queryKey, type: 'active' })
  open?.setState({ data: undefined, error: new AppError(code), status: 'error', fetchStatus: 'idle' })
  queries.removeQueries({ queryKey, predicate: (query) => query !== open })
}

/** A model that changed: in every list and in its own page. */
export function patchModel(queries: QueryClient, model: Model): void {
  queries.setQueriesData<Pages<Model>>({ queryKey: keys.modelLists }, (data) => withRow(data, model))
  queries.setQueryData<Model>(keys.model(model.id), (before) => (before ? model : before))
}

export function dropModel(queries: QueryClient, id: string): void {
  queries.setQueriesData<Pages<Model>>({ queryKey: keys.modelLists }, (data) => withoutRow(data, id))
  forget(queries, keys.model(id), 'model_not_found')
  void queries.invalidateQueries({ queryKey: keys.modelComparisons })
}
