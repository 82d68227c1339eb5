import { ArrowRight } from 'lucide-react'
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { Loop, LoopArrow, LoopStage } from '#contracts/entities/loop.ts'
import { arrowShare, LOOP_LABELS, stageCount } from '#contracts/loop-words.ts'
import { useLoop } from '#renderer/api/loop.ts'
import { tracesHref } from '#renderer/app/links.ts'
import { cn } from '#renderer/ui/cn.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** How far the sessions got on their way to a model in use, and the one next step. */
export function LoopOverview() {
  return (
    <section aria-label="Loop" className="min-h-41">
      <Fetched query={useLoop()} what="loop" bars={['h-24 w-full', 'h-12 w-full']}>
        {(loop) => (
          <div className="rounded border border-line bg-panel">
            <Stages loop={loop} />
            <Next next={loop.next} />
          </div>
        )}
      </Fetched>
    </section>
  )
}

function Stages({ loop: { stages, arrows } }: { loop: Loop }) {
  return (
    <ol className="flex flex-wrap gap-y-4 px-4 py-3">
      {stages.map((stage) => {
        const arrow = arrows.find(({ to }) => to === stage.id)
        return (
          <Fragment key={stage.id}>
            {arrow ? (
              <li className="flex flex-1 flex-col items-center px-1 pt-1">
                <Arrow arrow={arrow} />
              </li>
            ) : null}
            <li className="flex shrink-0 flex-col">
              <Stage stage={stage} />
            </li>
          </Fragment>
        )
      })}
    </ol>
  )
}

function Stage({ stage }: { stage: LoopStage }) {
  const { id, sessions, query, things, newestAt, note } = stage
  return (
    <>
      {query === null || sessions === null ? (
        <span className="text-sm leading-7 text-second" title={note ?? undefined}>
          not measured
        </span>
      ) : (
        <Link
          href={tracesHref(query)}
          aria-label={`${LOOP_LABELS[id]}: ${plural(sessions, 'session')}`}
          className="min-w-6 self-start rounded text-2xl leading-7 font-semibold hover:text-accent"
        >
          {stageCount(stage)}
        </Link>
      )}
      <span className="text-sm">{LOOP_LABELS[id]}</span>
      <span className="text-xs text-second">
        {things === null ? (
          id === 'decided' ? (
            'with a tier'
          ) : (
            'sessions'
          )
        ) : (
          <TextLink href={things.href}>{plural(things.count, things.noun)}</TextLink>
        )}
      </span>
      {newestAt === null ? null : (
        <span className="text-xs text-second">
          newest <RelativeTime at={newestAt} />
        </span>
      )}
    </>
  )
}

function Arrow({ arrow }: { arrow: LoopArrow }) {
  const { from, to, query, sessions, share, isNarrowest } = arrow
  const words = arrowShare(arrow)
  const ink = isNarrowest ? 'text-warn font-semibold' : 'text-second'
  return (
    <>
      <span className={cn('flex w-full items-center gap-1', ink)} aria-hidden>
        <span className={cn('h-px flex-1', isNarrowest ? 'bg-warn' : 'bg-edge')} />
        <ArrowRight size={14} className="-ml-2 shrink-0" />
      </span>
      {query === null ? null : share === null || sessions === null ? (
        <span className="text-xs text-second">none yet</span>
      ) : (
        <Link
          href={tracesHref(query)}
          aria-label={`${LOOP_LABELS[from]} to ${LOOP_LABELS[to].toLowerCase()}: ${words}, ${plural(sessions, 'session')}`}
          className={cn('min-h-6 min-w-6 content-center rounded text-center font-mono text-xs hover:text-accent', ink)}
        >
          {words}
        </Link>
      )}
      {isNarrowest ? <span className="text-xs text-warn">narrowest</span> : null}
    </>
  )
}

const Next = ({ next }: { next: Loop['next'] }) => (
  <div role="group" aria-label="Next step" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3">
    {next === null ? (
      <p className="text-sm text-second">No next step. New sessions move the loop on.</p>
    ) : (
      <>
        <div className="min-w-60 flex-1">
          <p className="font-semibold">
            <Visible text={next.title} />
          </p>
          <p className="text-sm text-second">
            <Visible text={next.detail} />
          </p>
        </div>
        <ButtonLink href={next.href} look="primary">
          {next.action}
          <ArrowRight size={14} aria-hidden />
        </ButtonLink>
      </>
    )}
  </div>
)
