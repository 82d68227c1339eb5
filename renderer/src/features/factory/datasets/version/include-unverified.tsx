import type { Dataset } from '#contracts/entities/dataset.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { useBuild } from '../new/use-build.ts'

/** Builds the next version with the same recipe, including unverified gold sessions. */
export function IncludeUnverified({ dataset: { name, options } }: { dataset: Pick<Dataset, 'name' | 'options'> }) {
  const offline = useOfflineReason()
  const build = useBuild()
  return (
    <div className="flex flex-col items-start gap-1 pt-1">
      <Button size="small" busy={build.busy} reason={offline} onClick={() => build.start({ ...options, name, unverified: true })}>
        Include them in a new version
      </Button>
      <JobState name="Building a data set" work={build} failed="Couldn't build the data set" />
      {build.built ? (
        <p role="status">
          {build.built.name} v{build.built.version} is built.{' '}
          <TextLink href={`/factory/datasets/${build.built.id}`}>Open data set</TextLink>
        </p>
      ) : null}
    </div>
  )
}
