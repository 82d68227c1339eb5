import type { Run } from '#contracts/entities/run.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { StarButton } from '#renderer/ui/lists/marked-table.tsx'
import { usePatchRun } from './queries.ts'

export function RunStar({ run }: { run: Pick<Run, 'id' | 'name' | 'starred'> }) {
  const patch = usePatchRun()
  const offline = useOfflineReason()
  return <StarButton of={run} reason={offline} onStar={() => patch.mutate({ id: run.id, starred: !run.starred })} />
}
