import { Grow } from './grow.tsx'
import { Make } from './make.tsx'
import { Review } from './review.tsx'

/** The review of examples; `/new` makes examples, and `/grow` generates more with a model. */
export default function ExamplesPage({ rest }: { rest: string }) {
  if (rest === 'new') return <Make />
  return rest === 'grow' ? <Grow /> : <Review />
}
