import { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { datasetHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Makes a data set of preferences from the judged answers, the way that every data set is made. */
export function ShadowRows({ rows }: { rows: number }) {
  const offline = useOfflineReason()
  const job = useJobOf(
    'dataset',
    () => api.buildDataset({ body: { kind: 'dpo', name: 'shadow', pairSources: ['shadow'], unverified: true } }),
    "Couldn't start the build",
  )
  const built = DatasetBuilt.safeParse(job.result).data
  return (
    <>
      <Button
        reason={offline ?? (rows === 0 ? 'Judge an answer as better or worse first.' : null)}
        busy={job.busy}
        onClick={() => job.start(undefined)}
      >
        Build a data set of {plural(rows, 'pair')}
      </Button>
      <JobState name="Data set" work={job} failed="Couldn't build the data set" />
      {built?.name === 'shadow' ? (
        <p role="status" className="text-sm">
          <TextLink href={datasetHref(built.id)}>
            {built.name} v{built.version}
          </TextLink>{' '}
          has {plural(built.counts.train + built.counts.val + built.counts.test, 'row')}.
        </p>
      ) : null}
    </>
  )
}
