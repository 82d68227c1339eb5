import type { ReactNode } from 'react'
import { NotRead, type Place } from './not-read.tsx'
import { ErrorState, Loading, Skeleton } from './states.tsx'

/** The part of a query's result that is shown. */
interface Result<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface Props<Data> {
  query: Result<Data>
  /** A noun, as in "Loading the report". */
  what: string
  /** Classes of the skeletons, one below the other. */
  bars: readonly string[]
  children: (data: Data) => ReactNode
}

/** A part of a page: skeletons, then the data or an error with a retry. Data stays in view when reading it again fails. */
export function Fetched<Data>({ query: { data, error, refetch }, what, bars, children }: Props<Data>) {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState title={`Couldn't load the ${what}`} error={error} retry={() => void refetch()} />
  return <LoadingBars label={`Loading the ${what}`} bars={bars} className="flex flex-col gap-3" />
}

/** The same for a whole page. `named` is what a missing one is called, if not `what`; `all` links to the list. */
export function FetchedPage<Data>({
  query: { data, error, refetch },
  what,
  named = what,
  all,
  children,
}: Omit<Props<Data>, 'bars'> & { named?: string; all: Place }) {
  if (data !== undefined) return children(data)
  if (error) return <NotRead what={named} error={error} retry={() => void refetch()} all={all} />
  return <LoadingBars label={`Loading the ${what}`} bars={PAGE_BARS} className="flex flex-col gap-4 p-6" />
}

const PAGE_BARS = ['h-6 w-48', 'h-40 w-full']

/** Skeletons of these classes, announced as one sentence. */
export const LoadingBars = ({ label, bars, className }: { label: string; bars: readonly string[]; className: string }) => (
  <Loading label={label} className={className}>
    {bars.map((bar, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- the list never changes
      <Skeleton key={index} className={bar} />
    ))}
  </Loading>
)
