import { Grow } from './grow.tsx'
import { Make } from './make.tsx'
import { Review } from './review.tsx'

/** Examples: the review of those that were made, at `/new` the making of others, at `/grow` variants of accepted ones. */
export default function ExamplesPage({ rest }: { rest: string }) {
  if (rest === 'new') return <Make />
  return rest === 'grow' ? <Grow /> : <Review />
}
