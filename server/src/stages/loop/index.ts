import { implement } from '#contracts/derive/route.ts'
import { getLoop } from '#contracts/routes/loop.ts'
import type { Stage } from '../stage.ts'
import type { Lists } from '../traces/index.ts'
import { readLoop } from './read.ts'

/** How far the user's sessions got, over all stages before it. */
export const createLoop = (lists: Pick<Lists, 'counts'>): { stage: Stage } => ({
  stage: { name: 'loop', routes: [implement(getLoop, () => readLoop(lists))], forget: null },
})
