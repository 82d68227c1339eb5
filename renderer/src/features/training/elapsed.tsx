import type { Run } from '#contracts/entities/run.ts'
import { useNow } from '#renderer/ui/use-now.ts'
import { elapsedOf } from './words.ts'

/** How long a run has trained; the time is updated while the trainer runs. */
export const Elapsed = ({ run }: { run: Run }) => <>{elapsedOf(run, useNow(run.workingSince !== null))}</>
