import { Star } from 'lucide-react'
import type { Model } from '#contracts/entities/model.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { usePatchModel } from './queries.ts'
import { ARTIFACT_STATES, artifactWord } from './words.ts'

/** A figure that nobody has measured: never 0, never a guess. */
export const NotMeasured = ({ why }: { why?: string }) => (
  <span title={why} className="font-sans text-second">
    not measured
  </span>
)

const StarFull = (props: { size?: number; className?: string; 'aria-hidden'?: boolean }) => <Star {...props} fill="currentColor" />

export function StarButton({ model }: { model: Pick<Model, 'id' | 'name' | 'starred'> }) {
  const patch = usePatchModel()
  const offline = useOfflineReason()
  return (
    <IconButton
      size="small"
      icon={model.starred ? StarFull : Star}
      label={model.starred ? `Take the star from ${model.name}` : `Star ${model.name}`}
      aria-pressed={model.starred}
      reason={offline}
      className={model.starred ? 'text-accent' : 'text-second'}
      onClick={() => patch.mutate({ id: model.id, starred: !model.starred })}
    />
  )
}

/** What it can be had as; one that is missing or changed says so. */
export const ExportBadges = ({ artifacts }: Pick<Model, 'artifacts'>) => (
  <>
    {artifacts.map((artifact) => {
      const { label, tone, meaning } = ARTIFACT_STATES[artifact.state]
      return (
        <Badge key={artifact.id} tone={tone}>
          <span title={artifact.state === 'present' ? undefined : meaning}>
            {artifactWord(artifact)}
            {artifact.state === 'present' ? null : ` ${label}`}
          </span>
        </Badge>
      )
    })}
  </>
)
