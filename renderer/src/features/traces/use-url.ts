import { useUrlState, type ChangeState } from '#renderer/ui/use-search.ts'
import { formatUrl, parseUrl, type TracesUrl } from './url-state.ts'

export type ChangeUrl = ChangeState<TracesUrl>
export const useTracesUrl = () => useUrlState(parseUrl, formatUrl)
