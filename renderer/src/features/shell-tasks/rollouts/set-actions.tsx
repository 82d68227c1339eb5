import { RotateCcw, Scale, Square } from 'lucide-react'
import { useState } from 'react'
import type { RolloutExportFormat, RolloutSet } from '#contracts/entities/rollout.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRolloutActions } from '#renderer/api/rollouts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DownloadMenu } from '#renderer/ui/download-menu.tsx'
import { RescoreDialog } from './rescore-dialog.tsx'

const FORMATS: readonly { format: RolloutExportFormat; label: string }[] = [
  { format: 'art', label: 'ART trajectory groups' },
  { format: 'trl', label: 'TRL rows' },
  { format: 'verifiers', label: 'verifiers rows' },
  { format: 'atif', label: 'ATIF trajectories (tar)' },
  { format: 'harbor', label: 'Harbor job (tar)' },
  { format: 'cast', label: 'asciinema recordings (tar)' },
]

export function SetActions({ set }: { set: RolloutSet }) {
  const [isScoring, setScoring] = useState(false)
  const offline = useOfflineReason()
  const { cancel, resume, rescore, export: exportSet } = useRolloutActions(set.id)
  const { counts, total, state } = set
  const noneEnded = counts.ended === 0 ? 'No episode has ended yet.' : null
  const openCount = total - counts.ended + counts.error
  return (
    <>
      <DownloadMenu label="Export" reason={offline ?? noneEnded} busy={exportSet.isPending} formats={FORMATS} onSelect={exportSet.mutate} />
      <Button
        icon={Scale}
        reason={offline ?? noneEnded ?? (state === 'running' ? 'The rollouts are still running.' : null)}
        onClick={() => setScoring(true)}
      >
        Score again
      </Button>
      {state === 'running' ? (
        <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel rollouts'}
        </Button>
      ) : openCount > 0 ? (
        <Button icon={RotateCcw} look="primary" reason={offline} busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume rollouts
        </Button>
      ) : null}
      {isScoring ? <RescoreDialog policy={set.settings.policy} rescore={rescore} onClose={() => setScoring(false)} /> : null}
    </>
  )
}
