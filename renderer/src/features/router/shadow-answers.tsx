import type { ShadowAnswer, ShadowVerdict } from '#contracts/entities/routing.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShadowVerdict, useShadowAnswers } from '#renderer/api/routing.ts'
import { traceHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

const VERDICTS: readonly { verdict: ShadowVerdict; label: string }[] = [
  { verdict: 'better', label: 'Better' },
  { verdict: 'worse', label: 'Worse' },
  { verdict: 'same', label: 'The same' },
]

/** Both answers to each step, side by side, with what the user or a model says of them. */
export function ShadowAnswers() {
  const list = useShadowAnswers()
  const { rows, more } = useRows(list)
  return (
    <Fetched query={{ ...list, refetch: list.refetch }} what="answers" bars={['h-40 w-full', 'h-40 w-full']}>
      {() => (
        <>
          <ul aria-label="Answers in the shadow" className="flex flex-col gap-3">
            {rows.map((one) => (
              <Answer key={one.id} answer={one} />
            ))}
          </ul>
          {list.hasNextPage ? (
            <div>
              <Button onClick={more}>Show more</Button>
            </div>
          ) : null}
        </>
      )}
    </Fetched>
  )
}

function Answer({ answer }: { answer: ShadowAnswer }) {
  const { id, at, traceId, model, prompt, teacher, student, error, refusal } = answer
  return (
    <li className="flex flex-col gap-2 rounded border border-line p-3 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2 text-second">
        <RelativeTime at={at} />
        {traceId === null || refusal === 'its session is not in the archive' ? null : (
          <TextLink href={traceHref(traceId)}>session</TextLink>
        )}
        {refusal === null ? <span>makes a row</span> : <span>no row: {refusal}</span>}
      </p>
      <details>
        <summary className="cursor-pointer">What both read</summary>
        <Text text={prompt} label={`What both read for answer ${id}`} />
      </details>
      <div className="grid gap-3 md:grid-cols-2">
        <Side name="Claude" id={id} text={teacher} />
        <Side name={model} id={id} text={student ?? error ?? 'No answer'} />
      </div>
      {student === null ? null : <Verdict answer={answer} />}
    </li>
  )
}

const Side = ({ name, id, text }: { name: string; id: string; text: string }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h3 className="truncate font-semibold">{name}</h3>
    <Text text={text} label={`Answer ${id} of ${name}`} />
  </div>
)

const Text = ({ text, label }: { text: string; label: string }) => (
  <ScrollRegion label={label} className="max-h-60 overflow-y-auto rounded bg-panel p-2 font-mono text-xs break-words whitespace-pre-wrap">
    <Visible text={text} />
  </ScrollRegion>
)

/** The user's own verdict replaces one of a model; a second click takes it back. */
function Verdict({ answer: { id, model, verdict, verdictBy } }: { answer: ShadowAnswer }) {
  const change = useShadowVerdict()
  const offline = useOfflineReason()
  return (
    <div role="group" aria-label={`${model}, beside Claude`} className="flex flex-wrap items-center gap-2">
      {VERDICTS.map(({ verdict: one, label }) => (
        <Button
          key={one}
          size="small"
          aria-pressed={verdict === one}
          className={cn(verdict === one && 'border-accent bg-raised font-semibold')}
          reason={offline}
          onClick={() => change.mutate({ id, verdict: verdict === one && verdictBy === null ? null : one })}
        >
          {label}
        </Button>
      ))}
      <span className="text-second">{verdict === null ? 'not judged' : verdictBy === null ? 'said by you' : `said by ${verdictBy}`}</span>
    </div>
  )
}
