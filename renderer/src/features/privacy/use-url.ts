import { useUrlState, type ChangeState } from '#renderer/ui/use-search.ts'
import { formatUrl, parseUrl, type ReviewUrl } from './url-state.ts'

export type ChangeUrl = ChangeState<ReviewUrl>
export const useReviewUrl = () => useUrlState(parseUrl, formatUrl)
