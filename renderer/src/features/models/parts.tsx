import type { Model } from '#contracts/entities/model.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { StarButton } from '#renderer/ui/lists/marked-table.tsx'
import { usePatchModel } from './queries.ts'
import { ARTIFACT_STATES, artifactWord } from './words.ts'

/** Shown instead of a figure that was not measured, so that it is never read as 0. */
export const NotMeasured = ({ why }: { why?: string }) => (
  <span title={why} className="font-sans text-second">
    not measured
  </span>
)

export function StarOfModel({ model }: { model: Pick<Model, 'id' | 'name' | 'starred'> }) {
  const patch = usePatchModel()
  const offline = useOfflineReason()
  return <StarButton of={model} reason={offline} onStar={() => patch.mutate({ id: model.id, starred: !model.starred })} />
}

/** The formats a model is stored in; a missing or changed file is marked. */
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
