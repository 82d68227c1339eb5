import { useLocation } from 'wouter'
import type { Model } from '#contracts/entities/model.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { useDeleteModel, useOtherModels } from '../queries.ts'
import { artifactWord } from '../words.ts'

/** Requires the model's name, because the weights cannot be restored. Lists what is deleted and what prevents it. */
export function DeleteDialog({ model, onClose }: { model: Model; onClose: () => void }) {
  const [, go] = useLocation()
  const children = useOtherModels().filter(({ lineage }) => lineage.parentModelId === model.id)
  const remove = useDeleteModel(() => go('/models'))
  const { artifacts, operational } = model
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Delete ${model.name}?`}
      action="Delete"
      typed={model.name}
      onConfirm={() => remove.mutate({ id: model.id, name: model.name })}
    >
      <p>
        This deletes {plural(artifacts.length, 'artifact')} ({formatBytes(operational.sizeBytes)}): {artifacts.map(artifactWord).join(', ')}
        . It cannot be undone.
      </p>
      {children.length > 0 ? (
        <p className="border-l-4 border-warn pl-2">
          {children.map(({ name }) => name).join(', ')} {children.length === 1 ? 'was' : 'were'} trained from it, so it will be kept. Delete{' '}
          {children.length === 1 ? 'that one' : 'those'} first.
        </p>
      ) : (
        <p>No other model was trained from it. Its run keeps its curves and its log.</p>
      )}
      {operational.status === 'serving' ? (
        <p className="border-l-4 border-warn pl-2">It is loaded under Try it, so it cannot be deleted. Stop it under Try it first.</p>
      ) : null}
    </Confirm>
  )
}
