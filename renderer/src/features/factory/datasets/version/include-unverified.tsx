import type { Dataset } from '#contracts/entities/dataset.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { useBuild } from '../new/use-build.ts'

/** Builds the next version by the same recipe, with the gold that no verification confirmed. */
export function IncludeUnverified({ dataset: { name, options } }: { dataset: Pick<Dataset, 'name' | 'options'> }) {
  const offline = useOfflineReason()
  const build = useBuild()
  return (
    <div className="flex flex-col items-start gap-1 pt-1">
      <Button size="small" busy={build.busy} reason={offline} onClick={() => build.start({ ...options, name, unverified: true })}>
        Include them in a new version
      </Button>
      {build.running ? <JobProgress name="Building a data set" job={build.running} onStop={build.cancel} /> : null}
      {build.error ? <ErrorState title="Couldn't build the data set" error={build.error} /> : null}
      {build.built ? (
        <p role="status">
          {build.built.name} v{build.built.version} is built.{' '}
          <TextLink href={`/factory/datasets/${build.built.id}`}>Open data set</TextLink>
        </p>
      ) : null}
    </div>
  )
}
