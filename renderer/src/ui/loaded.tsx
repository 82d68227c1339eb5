import type { ReactNode } from 'react'
import { ErrorState } from './states.tsx'

/** What a query has read. Until then `loading`; the error, with a retry button, only while there is nothing else to show. */
export function Loaded<Data>({
  query: { data, error, refetch },
  failed,
  loading,
  className,
  children,
}: {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  /** Title of the error. */
  failed: string
  loading: ReactNode
  /** Of the error. */
  className?: string
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return error ? <ErrorState className={className} title={failed} error={error} retry={() => void refetch()} /> : loading
}
