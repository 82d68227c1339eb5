import { Make } from './make.tsx'
import { Review } from './review.tsx'

/** Examples: the review of those that were made, and at `/new` the making of others. */
export default function ExamplesPage({ rest }: { rest: string }) {
  return rest === 'new' ? <Make /> : <Review />
}
