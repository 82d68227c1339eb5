import { Download, RotateCcw, Scale, Square } from 'lucide-react'
import { useState } from 'react'
import { RolloutExportFormat, type RolloutSet } from '#contracts/entities/rollout.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRolloutActs } from '#renderer/api/rollouts.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { RescoreDialog } from './rescore-dialog.tsx'

const FORMATS: Record<RolloutExportFormat, string> = {
  art: 'ART trajectory groups',
  trl: 'TRL rows',
  verifiers: 'verifiers rows',
  atif: 'ATIF trajectories (tar)',
  harbor: 'Harbor job (tar)',
  cast: 'asciinema recordings (tar)',
}

/** What can be done to a set. */
export function SetActs({ set }: { set: RolloutSet }) {
  const [isScoring, setScoring] = useState(false)
  const offline = useOfflineReason()
  const { cancel, resume, rescore, export: save } = useRolloutActs(set.id)
  const { counts, total, state } = set
  const none = counts.ended === 0 ? 'No episode has ended yet.' : null
  const open = total - counts.ended + counts.error
  return (
    <>
      <Menu
        trigger={
          <Button icon={Download} reason={offline ?? none} busy={save.isPending}>
            Export
          </Button>
        }
        align="end"
      >
        {RolloutExportFormat.options.map((format) => (
          <MenuItem key={format} onSelect={() => save.mutate(format)}>
            {FORMATS[format]}
          </MenuItem>
        ))}
      </Menu>
      <Button
        icon={Scale}
        reason={offline ?? none ?? (state === 'running' ? 'The rollouts are still running.' : null)}
        onClick={() => setScoring(true)}
      >
        Score again
      </Button>
      {state === 'running' ? (
        <Button icon={Square} look="danger" reason={offline} busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {cancel.isPending ? 'Cancelling …' : 'Cancel rollouts'}
        </Button>
      ) : open > 0 ? (
        <Button icon={RotateCcw} look="primary" reason={offline} busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume rollouts
        </Button>
      ) : null}
      <RescoreDialog key={String(isScoring)} policy={set.settings.policy} open={isScoring} onOpenChange={setScoring} rescore={rescore} />
    </>
  )
}
