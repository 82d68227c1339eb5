import type { Routing, ShadowFigures } from '#contracts/entities/routing.ts'
import { useRouteStats } from '#renderer/api/routing.ts'
import { compareShadowHref } from '#renderer/app/links.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ShadowAnswers } from './shadow-answers.tsx'
import { ShadowRows } from './shadow-rows.tsx'

const LIMITS = [20, 50, 200, 1000]

/** What the student would have answered to steps that Claude had answered. */
export function ShadowSection({ student }: { student: NonNullable<Routing['student']> }) {
  const { settings, offline, change } = useChange()
  const { shadow, shadowPerDay } = settings.router
  const stats = useRouteStats()
  const limits = [...new Set([...LIMITS, shadowPerDay])].toSorted((a, b) => a - b)
  return (
    <Section title="Shadow" note="Asks your model about a step after Claude has answered it. Its tools are never run">
      <div>
        <SwitchRow
          label="Ask in the shadow"
          hint={`Sends steps of your sessions to ${student.name}, and keeps both answers on this machine`}
          checked={shadow}
          disabled={offline !== null}
          onChange={(on) => change('Shadow', { router: { shadow: on } })}
        />
        {shadow ? (
          <SelectRow
            label="At most in 24 hours"
            value={String(shadowPerDay)}
            disabled={offline !== null}
            options={limits.map((value) => ({ value: String(value), label: plural(value, 'answer') }))}
            onChange={(next) => change('Limit', { router: { shadowPerDay: Number(next) } })}
          />
        ) : null}
      </div>
      <Fetched query={stats} what="figures" bars={['h-10 w-full']}>
        {({ shadow: figures }) => (figures && figures.answers > 0 ? <Answered figures={figures} /> : null)}
      </Fetched>
    </Section>
  )
}

function Answered({ figures: { answers, failed, compared, same, judged, rows } }: { figures: ShadowFigures }) {
  const { better, worse, same: equal } = judged
  return (
    <>
      <Facts>
        <Fact name="Same next call">
          {compared === 0 ? 'not measured' : `${formatCount(same)} of ${formatCount(compared)} steps at which both called a tool`}
        </Fact>
        <Fact name="Asked">
          {plural(answers, 'step')}, {formatCount(failed)} without an answer
        </Fact>
        <Fact name="Judged">
          {better + worse + equal === 0 ? 'none' : `${better} better than Claude's, ${worse} worse, ${equal} the same`}
        </Fact>
      </Facts>
      <p className="text-sm text-second">The steps before are Claude's, so this flatters a model and proves nothing: exams do.</p>
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink href={compareShadowHref}>Judge with a model …</ButtonLink>
        <ShadowRows rows={rows} />
      </div>
      <ShadowAnswers />
    </>
  )
}
