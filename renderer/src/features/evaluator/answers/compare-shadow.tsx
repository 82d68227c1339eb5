import { useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { NumberRow } from '#renderer/ui/form-rows.tsx'
import { EMPTY_MODEL, missingModel, ModelFields, modelIn } from '../model-fields.tsx'
import { usePrepared } from './use-prepared.ts'

const MOST = 1000

/** Which model compares the answers in the shadow that nobody has judged. Preparing it reads the texts and sends nothing. */
export function CompareShadow({ onClose }: { onClose: () => void }) {
  const [limit, setLimit] = useState('')
  const [model, setModel] = useState(EMPTY_MODEL)
  const offline = useOfflineReason()
  const { job, prepare, isStarted } = usePrepared()
  const most = limit.trim() === '' ? 50 : Number(limit)
  const isLimit = Number.isInteger(most) && most >= 1 && most <= MOST
  const grader = modelIn(model)
  return (
    <FormDialog
      wide
      title="Judge answers in the shadow"
      description="A model compares your model's answer with Claude's, in both orders. The next page shows every text as it would be sent, and the cost."
      action="Prepare"
      reason={offline ?? (!isLimit ? 'Enter a limit from 1 to 1,000.' : grader === null ? missingModel(model) : null)}
      busy={job.busy}
      onSubmit={() => {
        if (grader !== null) prepare({ source: { kind: 'shadow' }, model: grader, limit: most })
      }}
      onClose={onClose}
    >
      <NumberRow
        label="At most"
        hint="Pairs that nobody has judged, the newest first."
        placeholder="50"
        value={limit}
        error={isLimit ? undefined : 'From 1 to 1,000.'}
        onChange={setLimit}
      />
      <ModelFields label="Who judges" value={model} onChange={setModel} />
      {isStarted ? <JobState name="Texts" work={job} failed="Couldn't read the texts" /> : null}
    </FormDialog>
  )
}
