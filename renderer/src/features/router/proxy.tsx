import type { RouterProxy, RouteStats } from '#contracts/entities/routing.ts'
import { useRouteStats } from '#renderer/api/routing.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Decisions } from './decisions.tsx'
import { Pictures } from './pictures.tsx'
import { dollars, ms } from './words.ts'

const both = (figures: RouteStats['latencyMs']): string =>
  figures === null ? 'not measured' : `${ms(figures.p50)}, 95 % within ${ms(figures.p95)}`

/** What the user's own model answered as an agent, and what passed the proxy. */
export function WhatPassed({ proxy }: { proxy: RouterProxy }) {
  const stats = useRouteStats()
  return (
    <>
      <Section title="The agent gym" note="Steps that your model answered inside Claude Code">
        <Fetched query={stats} what="figures" bars={['h-16 w-full']}>
          {({ mod }) => <GymFacts mod={mod} />}
        </Fetched>
      </Section>
      <Passed proxy={proxy} stats={stats} />
    </>
  )
}

const Saved = ({ usd, answers, unpriced }: RouteStats['saved']) => (
  <>
    {usd === null
      ? 'not known'
      : `${dollars(usd)}: what the tokens of ${plural(answers, 'answer')} would have cost more at Claude, at list prices with its cache. Work that was wrong and done again is not taken off.`}
    {unpriced > 0 ? ` Of ${plural(unpriced, 'answer')} it is not known what Claude would have cost.` : null}
  </>
)

function GymFacts({ mod: { steps, failed, agents, tokens, latencyMs } }: { mod: RouteStats['mod'] }) {
  if (steps + failed === 0)
    return (
      <p className="text-sm text-second">
        It has answered nothing yet. <TextLink href="/settings/router">Set it up</TextLink>
      </p>
    )
  return (
    <Facts>
      <Fact name="Steps">
        {formatCount(steps)} answered for {plural(agents, 'task')}, {formatCount(failed)} failed
      </Fact>
      <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
      <Fact name="Answer">{both(latencyMs)}</Fact>
      <Fact name="Sessions">
        <TextLink href="/traces?q=is%3Aused">Those in which it answered</TextLink>
      </Fact>
    </Facts>
  )
}

type Props = { proxy: RouterProxy; stats: ReturnType<typeof useRouteStats> }

function Passed({ proxy, stats }: Props) {
  return (
    <Section title="What passed the router" note="Of the last 30 days; no text and no key is stored">
      <p className="text-sm">
        The proxy is {proxy.problem ?? (proxy.isOn ? 'on.' : 'off.')}{' '}
        <TextLink href="/settings/router">{proxy.isOn ? 'Its address, and how to undo it' : 'Switch it on'}</TextLink>
      </p>
      <Fetched query={stats} what="figures" bars={['h-16 w-full']}>
        {({ requests, failed, sessions, tokens, firstTokenMs, latencyMs, student, saved, pictures }) =>
          requests === 0 ? (
            <p className="text-sm text-second">Nothing has passed yet.</p>
          ) : (
            <>
              <Facts>
                <Fact name="Requests">
                  {formatCount(requests)} in {plural(sessions, 'session')}, {formatCount(failed)} failed
                </Fact>
                {student.answers + student.failed + student.fallbacks === 0 ? null : (
                  <Fact name="Your model">
                    {plural(student.answers, 'answer')}, {formatCount(student.failed)} failed, {formatCount(student.fallbacks)} answered by
                    Claude instead
                  </Fact>
                )}
                {saved.answers + saved.unpriced === 0 ? null : (
                  <Fact name="Saved">
                    <Saved {...saved} />
                  </Fact>
                )}
                <Fact name="Tokens">{tokens === null ? 'not measured' : formatCount(tokens)}</Fact>
                <Fact name="First byte">{both(firstTokenMs)}</Fact>
                <Fact name="Whole answer">{both(latencyMs)}</Fact>
              </Facts>
              <Pictures pictures={pictures} />
              <Decisions />
            </>
          )
        }
      </Fetched>
    </Section>
  )
}
