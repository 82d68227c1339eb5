import type { Routing, ShadowAnswer, ShadowFigures } from '#contracts/entities/routing.ts'
import { useRouteStats, useShadowAnswers } from '#renderer/api/routing.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'

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
        {({ shadow: figures }) => (figures && figures.answers > 0 ? <Answers figures={figures} /> : null)}
      </Fetched>
    </Section>
  )
}

function Answers({ figures: { answers, failed, compared, same } }: { figures: ShadowFigures }) {
  const list = useShadowAnswers()
  return (
    <>
      <Facts>
        <Fact name="Same next call">
          {compared === 0 ? 'not measured' : `${formatCount(same)} of ${formatCount(compared)} steps at which both called a tool`}
        </Fact>
        <Fact name="Asked">
          {plural(answers, 'step')}, {formatCount(failed)} without an answer
        </Fact>
      </Facts>
      <p className="text-sm text-second">The steps before are Claude's, so this flatters a model and proves nothing: exams do.</p>
      <Fetched query={list} what="answers" bars={['h-24 w-full']}>
        {({ items }) => <Table caption="The newest answers in the shadow" rows={items} keyOf={({ id }) => id} columns={COLUMNS} />}
      </Fetched>
    </>
  )
}

const Short = ({ text }: { text: string }) => <span className="line-clamp-3 font-mono text-xs break-all">{text}</span>

const COLUMNS: Column<ShadowAnswer>[] = [
  { id: 'at', label: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  { id: 'teacher', label: 'Claude', cell: ({ teacher }) => <Short text={teacher} /> },
  { id: 'student', label: 'Your model', cell: ({ student, error }) => <Short text={student ?? error ?? ''} /> },
  { id: 'same', label: 'Call', cell: ({ same }) => (same === null ? DASH : same ? 'same' : 'different') },
]
