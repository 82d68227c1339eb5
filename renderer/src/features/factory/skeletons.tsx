import { LoadingBars } from '#renderer/ui/fetched.tsx'
import { Skeletons } from '#renderer/ui/skeletons.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'

/** Placeholder rows with the height of the real ones. */
export const RowsSkeleton = ({ label, rowPx, isTwoLines = false }: { label: string; rowPx: number; isTwoLines?: boolean }) => (
  <Loading label={label} className="min-h-0 flex-1 overflow-hidden">
    {Array.from({ length: 24 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex items-center gap-4 border-b border-line px-6" style={{ height: rowPx }}>
        <div className="flex flex-1 flex-col gap-1.5">
          <Skeleton className="h-3.5 w-3/5" />
          {isTwoLines ? <Skeleton className="h-3 w-2/5" /> : null}
        </div>
        <Skeleton className="h-4 w-20" />
      </div>
    ))}
  </Loading>
)

/** Placeholder of a version: header, tabs, funnel and groups. */
export const VersionSkeleton = () => (
  <Loading label="Loading data set" className="flex min-h-0 flex-1 flex-col overflow-hidden">
    <div className="flex items-start justify-between gap-6 px-6 py-3">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-4 w-96 max-w-full" />
      </div>
      <Skeleton className="h-8 w-80 max-w-[40%]" />
    </div>
    <div className="flex h-9 items-center gap-6 border-b border-line px-6">
      <Skeletons count={4} className="h-4 w-20" />
    </div>
    <div className="mx-auto flex w-full max-w-[1288px] flex-col gap-3 px-6 py-5">
      <Skeleton className="h-5 w-72" />
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((stage) => (
        <div key={stage} className="flex items-center gap-4">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-7 flex-1" />
        </div>
      ))}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(18rem,1fr))] gap-x-8 gap-y-5 pt-5">
        <Skeletons count={3} className="h-32" />
      </div>
    </div>
  </Loading>
)

/** Placeholder bars for running text. */
export const TEXT_BARS = [
  'h-6 w-72',
  'h-3.5 w-1/3',
  'h-3.5 w-11/12',
  'h-3.5 w-4/5',
  'h-3.5 w-1/4',
  'h-3.5 w-3/4',
  'h-3.5 w-2/5',
  'h-3.5 w-2/3',
]

export const TextSkeleton = ({ label }: { label: string }) => <LoadingBars label={label} bars={TEXT_BARS} className="flex flex-col gap-3" />

/** Placeholder of a table with a heading. */
export const TableSkeleton = ({ label }: { label: string }) => (
  <Loading label={label} className="flex flex-col gap-3">
    <Skeleton className="h-6 w-40" />
    {['a', 'b', 'c', 'd'].map((line) => (
      <div key={line} className="flex items-center gap-6 border-b border-line pb-3">
        <Skeleton className="size-4" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-4 w-16" />
      </div>
    ))}
  </Loading>
)
