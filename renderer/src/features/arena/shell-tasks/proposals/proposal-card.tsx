import { useState } from 'react'
import type { ShellTaskProposal } from '#contracts/entities/shell-proposal.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useSaveProposal } from '#renderer/api/shell-proposals.ts'
import { shellTaskHref, stepHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { LinesRow } from '#renderer/ui/form-rows.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { StatusBadge } from '../columns.tsx'
import { useShellTask } from '#renderer/api/shell-tasks.ts'
import { useValidateOne } from '../validate.tsx'

/** A proposal as a form, with the steps it comes from; stored, it can be validated. */
export function ProposalCard({ traceId, proposal, number }: { traceId: string; proposal: ShellTaskProposal; number: number }) {
  const offline = useOfflineReason()
  const [isLeft, setLeft] = useState(false)
  const [text, setText] = useState(proposal.task)
  const [setup, setSetup] = useState(proposal.setup.join('\n\n'))
  const [check, setCheck] = useState(proposal.check)
  const [solution, setSolution] = useState(proposal.referenceSolution ?? '')
  const save = useSaveProposal()
  const storedId = save.data?.id ?? (proposal.isStored ? proposal.id : null)
  const title = `Proposal ${number}`
  if (isLeft)
    return (
      <Section
        title={title}
        note="left"
        actions={
          <Button size="small" onClick={() => setLeft(false)}>
            Take it up again
          </Button>
        }
      >
        {null}
      </Section>
    )
  const reason = offline ?? (text.trim() === '' ? 'The task is empty.' : check.trim() === '' ? 'The check is empty.' : null)
  const store = () =>
    save.mutate({
      task: text,
      setup: setup
        .split(/\n\s*\n/)
        .map((command) => command.trim())
        .filter(Boolean),
      check,
      referenceSolution: solution.trim() === '' ? null : solution,
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
      {storedId === null ? (
        <>
          <LinesRow label="Task" hint="What to achieve. Do not name the command." value={text} onChange={setText} />
          <LinesRow label="Set-up commands" hint="An empty line separates them." value={setup} onChange={setSetup} />
          <LinesRow label="Check" hint="One command; exit code 0 means solved." value={check} onChange={setCheck} />
          <LinesRow label="Reference solution" hint="What was run. Validation runs it again." value={solution} onChange={setSolution} />
          {save.error ? <ErrorState title="Couldn't store the task" error={save.error} /> : null}
          <div className="flex flex-wrap gap-2">
            <Button look="primary" reason={reason} busy={save.isPending} onClick={store}>
              Save task
            </Button>
            <Button onClick={() => setLeft(true)}>Leave</Button>
          </div>
        </>
      ) : (
        <Stored id={storedId} />
      )}
    </Section>
  )
}

function Stored({ id }: { id: string }) {
  const { data } = useShellTask(id)
  const validation = useValidateOne(id)
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-3 text-sm">
        <span>
          Stored as <TextLink href={shellTaskHref(id)}>{id}</TextLink>.
        </span>
        <StatusBadge status={data?.validation?.status ?? 'none'} />
      </p>
      <div>{validation.button}</div>
      {validation.progress}
    </div>
  )
}
