import { Loading, Skeleton } from '#renderer/ui/states.tsx'

export const PageSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-4 w-96 max-w-full" />
    <Skeleton className="mt-4 h-40 w-full" />
  </Loading>
)
