import { FilterSelect } from '#renderer/ui/select.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'

type Groups<State extends string> = Readonly<Record<string, { label: string; states: readonly State[] }>>

/** The group of states that `?state=` names; an unknown one is ignored. */
const groupIn = (groups: Groups<string>, search: URLSearchParams): string | null => {
  const name = search.get('state')
  return name !== null && Object.hasOwn(groups, name) ? name : null
}

/** The states to ask the server for, nothing without a filter. */
export function statesIn<State extends string>(groups: Groups<State>, search: URLSearchParams): { state?: State[] } {
  const group = groupIn(groups, search)
  return group === null ? {} : { state: [...groups[group]!.states] }
}

/** Filters a list by a group of states. */
export const StateSelect = ({ groups, search, change }: { groups: Groups<string>; search: URLSearchParams; change: ChangeSearch }) => (
  <FilterSelect
    label="State"
    any="Any state"
    value={groupIn(groups, search)}
    options={Object.entries(groups).map(([value, { label }]) => ({ value, label }))}
    onChange={(state) => change({ state })}
  />
)
