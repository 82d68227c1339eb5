import { create } from 'zustand'

/**
 * Sessions that arrived since the list was last fetched. A list shows them as "12 new" and calls `clearArrivals` after
 * fetching again, so that no rows appear under the pointer.
 */
export const useArrivals = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }))

export const addArrivals = (ids: readonly string[]) =>
  useArrivals.setState((state) => (ids.every((id) => state.ids.has(id)) ? state : { ids: new Set([...state.ids, ...ids]) }))

export const dropArrival = (id: string) =>
  useArrivals.setState((state) => (state.ids.has(id) ? { ids: new Set([...state.ids].filter((other) => other !== id)) } : state))

export const clearArrivals = () => useArrivals.setState({ ids: new Set() })
