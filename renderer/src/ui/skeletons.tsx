import { Skeleton } from './states.tsx'

/** Several blocks of one shape. */
export const Skeletons = ({ count, className }: { count: number; className: string }) =>
  Array.from({ length: count }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- all alike
    <Skeleton key={index} className={className} />
  ))
