import { useModelWork } from '#renderer/api/router.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

/** What the model did in Claude Code; nothing is shown of one that did nothing. */
export function AtWork({ id }: { id: string }) {
  const work = useModelWork(id).data
  if (!work || work.steps + work.failed + work.sessions + work.answers + work.fallbacks === 0) return null
  const { steps, failed, agents, sessions, tokens, answers, fallbacks, lastAt } = work
  return (
    <Section title="At work in Claude Code" note="As the agent gym, and by the proxy">
      <Facts>
        <Fact name="Steps">
          {formatCount(steps)} answered for {plural(agents, 'task')}
        </Fact>
        <Fact name="Failed">{failed === 0 ? 'none' : `${formatCount(failed)} ended with the reason why there is no answer`}</Fact>
        <Fact name="Sessions">
          <TextLink href="/traces?q=is%3Aused">{plural(sessions, 'captured session')}</TextLink>
        </Fact>
        <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
        <Fact name="By the proxy">
          <TextLink href="/router?by=student">{plural(answers, 'answer')}</TextLink> in 30 days, {formatCount(fallbacks)} answered by Claude
          instead
        </Fact>
        <Fact name="Last answer">{lastAt === null ? 'none' : <RelativeTime at={lastAt} />}</Fact>
      </Facts>
    </Section>
  )
}
