import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Marks requests that are in flight when a message arrives. The server may have computed their answers before the change
 * that the message reports, so each marked request is repeated once its answer has arrived.
 */
export function createOvertaken(queries: QueryClient): (filters?: QueryFilters) => void {
  const cache = queries.getQueryCache()
  const overtaken = new Set<string>()
  cache.subscribe((event) => {
    if (event.type === 'removed') overtaken.delete(event.query.queryHash)
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'fetch') overtaken.delete(event.query.queryHash) // requested after the message
    if (action.type === 'success' && !action.manual && overtaken.delete(event.query.queryHash))
      void queries.invalidateQueries({ queryKey: event.query.queryKey, exact: true })
  })
  return (filters = {}) => {
    for (const query of cache.findAll({ ...filters, fetchStatus: 'fetching' })) overtaken.add(query.queryHash)
  }
}
