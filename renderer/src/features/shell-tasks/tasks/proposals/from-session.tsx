import type { ShellTaskProposals } from '#contracts/entities/shell-proposal.ts'
import { useShellTaskProposals } from '#renderer/api/shell-proposals.ts'
import { stepHref, traceHref } from '#renderer/app/links.ts'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { ALL_SHELL_TASKS } from '../words.ts'
import { ProposalCard } from './proposal-card.tsx'

/** `/shell-tasks/from/TRACE`: tasks proposed from a session, to edit and save. */
export default function FromSession({ traceId }: { traceId: string }) {
  return (
    <FetchedPage query={useShellTaskProposals(traceId)} what="session" all={ALL_SHELL_TASKS}>
      {(found) => <Proposals found={found} />}
    </FetchedPage>
  )
}

function Proposals({ found: { traceId, calls, proposals, leftOut } }: { found: ShellTaskProposals }) {
  return (
    <Page
      title="Shell tasks from a session"
      summary={
        <>
          {plural(proposals.length, 'task')} proposed from {plural(calls, 'shell command')} of{' '}
          <TextLink href={traceHref(traceId)}>the session</TextLink>. Nothing is saved until you save it.{' '}
          <TextLink href={ALL_SHELL_TASKS.href}>{ALL_SHELL_TASKS.label}</TextLink>
        </>
      }
    >
      {proposals.length === 0 ? (
        <EmptyState title="No task can be proposed">
          A task needs successive commands that succeeded and left files, folders, permissions or an archive to check.
        </EmptyState>
      ) : null}
      <div className="grid min-w-0 gap-4 min-[1280px]:grid-cols-2">
        {proposals.map((one, index) => (
          <ProposalCard key={one.id} traceId={traceId} proposal={one} number={index + 1} />
        ))}
      </div>
      {leftOut.length === 0 ? null : (
        <Section title="Left out" note="commands without a proposed task">
          <ul className="flex flex-col gap-1 text-sm">
            {leftOut.map(({ reason, steps }) => (
              <li key={reason}>
                <Visible text={reason} />{' '}
                <TextLink href={stepHref(traceId, steps[0]!)}>
                  {steps.length === 1 ? 'the command' : `first of ${plural(steps.length, 'command')}`}
                </TextLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Page>
  )
}
