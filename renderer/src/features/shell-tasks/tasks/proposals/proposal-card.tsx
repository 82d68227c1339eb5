import { useState } from 'react'
import type { ShellTaskProposal } from '#contracts/entities/shell-proposal.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useSaveProposal } from '#renderer/api/shell-proposals.ts'
import { useShellTask } from '#renderer/api/shell-tasks.ts'
import { shellTaskHref, stepHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { StatusBadge } from '../columns.tsx'
import { useTextFields } from '../text-fields.tsx'
import { useValidateOne } from '../validate.tsx'

/** A proposed task as a form, with the commands it is based on. A saved task can be validated. */
export function ProposalCard({ traceId, proposal, number }: { traceId: string; proposal: ShellTaskProposal; number: number }) {
  const offline = useOfflineReason()
  const [isDismissed, setDismissed] = useState(false)
  const { rows, texts, missing } = useTextFields(proposal, 'The commands of the session. Validation runs them again.')
  const save = useSaveProposal()
  const savedId = save.data?.id ?? (proposal.isStored ? proposal.id : null)
  const title = `Proposal ${number}`
  if (isDismissed)
    return (
      <Section
        title={title}
        note="dismissed"
        actions={
          <Button size="small" onClick={() => setDismissed(false)}>
            Show again
          </Button>
        }
      >
        {null}
      </Section>
    )
  const store = () =>
    save.mutate({
      ...texts,
      difficulty: proposal.difficulty,
      source: 'session',
      extra: { traceId, steps: proposal.steps.map(({ id }) => id) },
    })
  return (
    <Section title={title} className="min-w-0">
      <p className="text-sm text-second">
        From{' '}
        {proposal.steps.map(({ id }, index) => (
          <span key={id}>
            {index === 0 ? '' : ', '}
            <TextLink href={stepHref(traceId, id)}>command {index + 1}</TextLink>
          </span>
        ))}
        .
      </p>
      {proposal.notes.map((note) => (
        <p key={note} className="text-sm text-second">
          <Visible text={note} />
        </p>
      ))}
      {savedId === null ? (
        <>
          {rows}
          {save.error ? <ErrorState title="Couldn't save the task" error={save.error} /> : null}
          <div className="flex flex-wrap gap-2">
            <Button look="primary" reason={offline ?? missing} busy={save.isPending} onClick={store}>
              Save task
            </Button>
            <Button onClick={() => setDismissed(true)}>Dismiss</Button>
          </div>
        </>
      ) : (
        <Saved id={savedId} />
      )}
    </Section>
  )
}

function Saved({ id }: { id: string }) {
  const { data } = useShellTask(id)
  const validation = useValidateOne(id)
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-3 text-sm">
        <span>
          Saved as <TextLink href={shellTaskHref(id)}>{id}</TextLink>.
        </span>
        <StatusBadge status={data?.validation?.status ?? 'none'} />
      </p>
      <div>{validation.button}</div>
      {validation.progress}
    </div>
  )
}
