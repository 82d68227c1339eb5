import { CornerDownRight, CornerLeftUp } from 'lucide-react'
import type { GuardTaint } from '#contracts/entities/guardrail.ts'
import { kindsOf, sourceOf } from '#renderer/app/words/taint.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** Lines from results of tools to commands that have their words, by row. */
export interface TaintLines {
  /** From the row of the result to that of the command; `lane` keeps lines beside each other. */
  spans: readonly { from: number; to: number; lane: number }[]
  /** By the id of the command and of the step whose result had the words. */
  at: ReadonlyMap<string, { to: readonly GuardTaint[]; from: readonly GuardTaint[] }>
}

/** More would cover the text. */
const MOST_LANES = 3

export function taintLines(taint: readonly GuardTaint[], indexOf: (id: string) => number | undefined): TaintLines {
  const ends: number[] = []
  const spans = taint
    .flatMap(({ sourceStepId, stepId }) => {
      const [from, to] = [indexOf(sourceStepId), indexOf(stepId)]
      return from === undefined || to === undefined || from >= to ? [] : [{ from, to }]
    })
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => {
      const free = ends.findIndex((end) => end < from)
      const lane = free >= 0 ? free : ends.length
      ends[lane] = to
      return { from, to, lane }
    })
  const at = new Map<string, { to: GuardTaint[]; from: GuardTaint[] }>()
  const notesAt = (id: string) => at.get(id) ?? at.set(id, { to: [], from: [] }).get(id)!
  for (const line of taint) {
    notesAt(line.stepId).to.push(line)
    notesAt(line.sourceStepId).from.push(line)
  }
  return { spans: spans.filter(({ lane }) => lane < MOST_LANES), at }
}

/** From the top of a row to the middle of its first line. */
const FIRST_LINE = 20

/** The part of the lines that passes a row. */
export const TaintRail = ({ spans, index }: { spans: TaintLines['spans']; index: number }) =>
  spans.map(({ from, to, lane }) =>
    index < from || index > to ? null : (
      <span
        key={`${from} ${to} ${lane}`}
        aria-hidden
        data-taint={index === from ? 'from' : index === to ? 'to' : 'past'}
        className="pointer-events-none absolute z-10 w-0.5 bg-warn"
        style={{ left: 6 + lane * 3, top: index === from ? FIRST_LINE : 0, ...(index === to ? { height: FIRST_LINE } : { bottom: 0 }) }}
      >
        {index === from || index === to ? (
          <span className="absolute -left-[3px] size-2 rounded-full bg-warn" style={index === from ? { top: -4 } : { bottom: -4 }} />
        ) : null}
      </span>
    ),
  )

/** At a command: where its words come from. At a result: which commands have words of it. */
export function TaintNotes({
  notes,
  inset,
  onStep,
}: {
  notes: ReturnType<TaintLines['at']['get']>
  inset: number
  onStep: (id: string) => void
}) {
  if (!notes) return null
  return (
    <ul aria-label="Where words come from" className="flex flex-col pr-4 pb-1 text-xs" style={{ paddingLeft: inset }}>
      {notes.to.map((line) => (
        <li key={line.sourceStepId} className="flex items-start gap-2 px-3">
          <CornerLeftUp size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0 break-words">
            Not from you or the model: the {kindsOf(line)} <Words line={line} /> first stood in <Visible text={sourceOf(line)} />:{' '}
            <q className="text-second">
              <Visible text={line.line} />
            </q>{' '}
            <StepButton onClick={() => onStep(line.sourceStepId)}>Go to the result</StepButton>
          </span>
        </li>
      ))}
      {notes.from.map((line) => (
        <li key={line.stepId} className="flex items-start gap-2 px-3">
          <CornerDownRight size={14} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0 break-words">
            A later command has the {kindsOf(line)} <Words line={line} /> from this result.{' '}
            <StepButton onClick={() => onStep(line.stepId)}>Go to the command</StepButton>
          </span>
        </li>
      ))}
    </ul>
  )
}

const Words = ({ line: { words } }: { line: GuardTaint }) => (
  <code className="font-mono break-all">
    <Visible text={words.map(({ text }) => text).join(', ')} />
  </code>
)

const StepButton = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <button type="button" onClick={onClick} className="focus-inset min-h-6 rounded-sm text-accent underline underline-offset-2">
    {children}
  </button>
)
