import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Answers that a message has overtaken. When an answer on its way was read, the page cannot know: maybe before what the
 * message. So each answer marked while in flight is requested again once it has arrived.
 */
export function createOvertaken(queries: QueryClient): (filters?: QueryFilters) => void {
  const cache = queries.getQueryCache()
  const overtaken = new Set<string>()
  cache.subscribe((event) => {
    if (event.type === 'removed') overtaken.delete(event.query.queryHash)
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type === 'fetch') overtaken.delete(event.query.queryHash) // asked after the message
    if (action.type === 'success' && !action.manual && overtaken.delete(event.query.queryHash))
      void queries.invalidateQueries({ queryKey: event.query.queryKey, exact: true })
  })
  return (filters = {}) => {
    for (const query of cache.findAll({ ...filters, fetchStatus: 'fetching' })) overtaken.add(query.queryHash)
  }
}
