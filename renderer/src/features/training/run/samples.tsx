import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Run, RunSample } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { coalesce } from '#renderer/api/coalesce.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { EpisodeTurns } from './episode-turns.tsx'
import { Rollouts } from './rollouts.tsx'

const PAGE = 100
/** Samples are reloaded at most this often, and only after a message of an evaluation or a rollout step. */
const RELOAD_MS = 5000
/** Answers shown side by side. */
const COLUMNS = 3

/** Answers of the model: to the same prompts at each evaluation, and rollouts with their rewards. */
export function Samples({ run }: { run: Run }) {
  const isGrouped = run.strategy === 'grpo' || run.strategy === 'rlvr'
  const evaluations = useSamples(run.id, 'evaluation')
  const rollouts = useSamples(run.id, 'rollout')
  const items = useMemo(() => evaluations.data?.pages.flatMap((page) => page.items) ?? [], [evaluations.data])
  const rolloutSamples = useMemo(() => rollouts.data?.pages.flatMap((page) => page.items) ?? [], [rollouts.data])
  const error = evaluations.error ?? rollouts.error
  if (error) return <ErrorState title="Couldn't load the samples" error={error} retry={() => void evaluations.refetch()} />
  if (evaluations.isPending || rollouts.isPending) {
    return (
      <Section title="Samples">
        <Loading label="Loading the samples">
          <Skeleton className="h-24 w-full" />
        </Loading>
      </Section>
    )
  }
  return (
    <>
      {items.length > 0 ? (
        <SideBySide items={items} hasMore={evaluations.hasNextPage} onMore={() => void evaluations.fetchNextPage()} />
      ) : (
        <Section title="Samples">
          <p className="text-sm text-second">
            {run.settings.samples === 0 || run.settings.evalSteps === null
              ? 'None: the run was started without evaluations or sample prompts.'
              : 'The model answers the same prompts at each evaluation; none has run yet.'}
          </p>
        </Section>
      )}
      {isGrouped || rolloutSamples.length > 0 ? (
        <Rollouts
          items={rolloutSamples}
          total={rollouts.data?.pages[0]?.total ?? 0}
          hasMore={rollouts.hasNextPage}
          onMore={() => void rollouts.fetchNextPage()}
        />
      ) : null}
    </>
  )
}

/** One prompt over the steps: the newest answers side by side, and the answer in the data set. */
function SideBySide({ items, hasMore, onMore }: { items: readonly RunSample[]; hasMore: boolean; onMore: () => void }) {
  const prompts = [...new Map(items.map((sample) => [sample.index, sample])).values()].toSorted((a, b) => a.index - b.index)
  const [index, setIndex] = useState(prompts[0]?.index ?? 0)
  const [lastStep, setLastStep] = useState<number | null>(null)
  const promptSamples = items.filter((sample) => sample.index === index).toSorted((a, b) => a.step - b.step)
  const end = lastStep === null ? promptSamples.length : Math.max(COLUMNS, promptSamples.findIndex(({ step }) => step === lastStep) + 1)
  const columns = promptSamples.slice(Math.max(0, end - COLUMNS), end)
  const prompt = prompts.find((sample) => sample.index === index)
  return (
    <Section
      title="Samples"
      note={`The same prompts at each evaluation: ${plural(new Set(items.map(({ step }) => step)).size, 'evaluation')} loaded`}
      actions={
        <span className="flex items-center gap-2">
          <Select
            label="Prompt"
            value={String(index)}
            options={prompts.map((sample) => ({ value: String(sample.index), label: `Prompt ${sample.index + 1}` }))}
            onChange={(value) => setIndex(Number(value))}
          />
          {promptSamples.length > COLUMNS ? (
            <Select
              label="Up to step"
              value={String(lastStep ?? promptSamples.at(-1)?.step)}
              options={promptSamples.slice(COLUMNS - 1).map(({ step }) => ({ value: String(step), label: `Up to step ${step}` }))}
              onChange={(value) => setLastStep(Number(value) === promptSamples.at(-1)?.step ? null : Number(value))}
            />
          ) : null}
          {hasMore ? (
            <Button size="small" onClick={onMore}>
              Show earlier samples
            </Button>
          ) : null}
        </span>
      }
    >
      <Text label="Prompt" text={prompt?.prompt ?? ''} quiet />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(260px,1fr))] gap-3">
        {columns.map((sample) =>
          sample.episode ? (
            <div key={sample.step} className="flex min-w-0 flex-col gap-1 font-mono text-xs">
              <h3 className="font-sans text-xs text-second">Step {sample.step}</h3>
              <EpisodeTurns episode={sample.episode} rewards={sample.rewards} isOpen />
            </div>
          ) : (
            <Text key={sample.step} label={`Step ${sample.step}`} text={sample.text} />
          ),
        )}
        {prompt?.reference ? <Text label="Reference answer" text={prompt.reference} quiet /> : null}
      </div>
    </Section>
  )
}

function Text({ label, text, quiet = false }: { label: string; text: string; quiet?: boolean }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="text-xs text-second">{label}</h3>
      <pre
        // a region that scrolls must be reachable with the keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cn(
          'focus-inset max-h-48 overflow-auto rounded border border-line p-2 font-mono text-xs leading-[1.45] break-words whitespace-pre-wrap',
          quiet ? 'bg-bg text-second' : 'bg-panel',
        )}
      >
        {text === '' ? '(nothing)' : text.trim() === '' ? '(whitespace only)' : <Visible text={text} />}
      </pre>
    </div>
  )
}

function useSamples(id: string, source: 'evaluation' | 'rollout') {
  const queries = useQueryClient()
  useEffect(() => {
    const reload = coalesce(() => void queries.invalidateQueries({ queryKey: runKeys.samples(id, source) }), RELOAD_MS)
    const isRelevant = (name: string) => (source === 'evaluation' ? name.startsWith('eval_') || name === 'heldout_n' : name === 'reward')
    return onMessage('training:progress', ({ runId, points }) => {
      if (runId === id && points.some(({ metrics }) => Object.keys(metrics).some(isRelevant))) reload()
    })
  }, [id, source, queries])
  return useInfiniteQuery({
    queryKey: runKeys.samples(id, source),
    queryFn: ({ pageParam, signal }) =>
      api.getRunSamples({ params: { id }, query: { source, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    refetchOnMount: 'always',
  })
}
