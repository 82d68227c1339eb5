import type { ReactNode } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { redactedText } from '#contracts/redacted-text.ts'
import { profileHref, traceHref } from '#renderer/app/links.ts'
import { TASK_BOUNDARIES } from '#renderer/app/words/tasks.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatInstant, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { CheckResult } from '../../check-result.tsx'
import { Failure } from '../failure.tsx'

/** The result of a run: checks, the agent's own claim, and the change. */
export function Outcome({ task }: { task: Task }) {
  const { state, verification, claim, change, exitCode, error, handedBack, traceId, redacted, request } = task
  const hasChange = change !== null && change.files > 0
  return (
    <Section title="Result">
      {error === null ? null : <Failure title={TASK_BOUNDARIES[error.boundary]} message={error.message} hint={error.hint} />}
      {verification === null ? (
        <p className="text-sm text-second">
          {state === 'paused' ? 'The checks run when the agent has finished.' : 'No checks ran, so the result is not verified.'}
        </p>
      ) : (
        <CheckResult report={verification} />
      )}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Row label="The agent said">
          {claim === null ? 'nothing about success' : claim === 'success' ? 'it succeeded' : 'it failed'}
          {contradiction(task)}
        </Row>
        <Row label="Change">
          {change === null ? (
            'no result'
          ) : hasChange ? (
            <>
              {plural(change.files, 'file')} <DiffCount added={change.added} removed={change.removed} />
            </>
          ) : (
            'nothing was changed'
          )}
        </Row>
        {handedBack === null ? null : (
          <Row label="In your repository">
            {handedBack.detail} ({formatInstant(handedBack.at)})
          </Row>
        )}
        {request.redact === true ? <Row label="Secrets">{redactedText(redacted)}</Row> : null}
        <Row label="Exit code">{exitCode ?? 'not known'}</Row>
        <Row label="Trace">
          {traceId === null ? (
            'not recorded'
          ) : (
            <>
              <TextLink href={traceHref(traceId)}>Every step with its output</TextLink>, and{' '}
              <TextLink href={profileHref(traceId)}>where the time went</TextLink>
            </>
          )}
        </Row>
      </dl>
      {hasChange ? (
        <div>
          <ButtonLink href={`/agents/tasks/${task.id}?tab=review`} look={handedBack === null ? 'primary' : 'plain'}>
            Review change
          </ButtonLink>
        </div>
      ) : null}
    </Section>
  )
}

/** A warning if the agent's claim and the checks disagree. */
function contradiction({ claim, verification }: Task): ReactNode {
  if (claim === null || verification === null) return null
  const differs =
    (claim === 'success' && (verification.status === 'failed' || verification.status === 'error')) ||
    (claim === 'failure' && verification.status === 'passed')
  return differs ? <span className="text-warn">; the checks say otherwise</span> : null
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className="text-second">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)
