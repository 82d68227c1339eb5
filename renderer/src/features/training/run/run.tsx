import { useCallback, useMemo, useState } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { teacherWords } from '#contracts/teacher-words.ts'
import { datasetHref, modelHref, matrixHref, runHref } from '#renderer/app/links.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { Section, useTitle } from '#renderer/ui/page.tsx'
import { Skeletons } from '#renderer/ui/skeletons.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { AXES } from '../charts/axes.ts'
import { Curves } from '../charts/curves.tsx'
import { lookOf } from '#renderer/ui/curves/ink.ts'
import type { Marker } from '#renderer/ui/curves/strokes.ts'
import { markersOf } from './markers.ts'
import { RunFeed } from '../charts/run-feed.tsx'
import { CurveSource, useWords } from '../charts/source.ts'
import { useView } from '#renderer/ui/curves/use-view.ts'
import { useCheckpoints, useRun } from '../queries.ts'
import { ALL_RUNS, isOver } from '../words.ts'
import { AsStarted } from './as-started.tsx'
import { Failure } from './failure.tsx'
import { wordsUnder } from './health-words.ts'
import { Health } from './health.tsx'
import { RunLog } from './log.tsx'
import { MixedIn } from './mixed-in.tsx'
import { Samples } from './samples.tsx'
import { NextCalls } from './next-calls.tsx'
import { SystemCharts } from './system-charts.tsx'
import { RunHeader } from './run-header.tsx'

/** One run: its state, curves, sample answers, log and settings. */
export default function RunPage({ id }: { id: string }) {
  const run = useRun(id)
  if (run.data) return <LoadedRun run={run.data} />
  if (run.error) return <NotRead what="run" error={run.error} retry={() => void run.refetch()} all={ALL_RUNS} />
  return (
    <Loading label="Loading the run" className="flex flex-col gap-4 p-6">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-16 w-full" />
      <div className="grid grid-cols-2 gap-3">
        <Skeletons count={4} className="h-64 w-full" />
      </div>
    </Loading>
  )
}

function LoadedRun({ run }: { run: Run }) {
  useTitle(run.name)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" data-run={run.id}>
      <RunHeader run={run} />
      <div className="flex flex-col gap-6 px-6 py-4">
        <RestoredWaits id={run.id} />
        <Failure run={run} />
        <Health run={run} />
        {run.teacherAnswers === null ? null : <p className="text-sm">{teacherWords(run.teacherAnswers)}</p>}
        <RunCurves run={run} />
        <Samples run={run} />
        <RunLog run={run} />
        <AsStarted run={run} />
        <Section title="Origin">
          <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
            <li>
              Data:{' '}
              {run.request.shellTasks ? (
                <span className="text-second">
                  shell tasks of {run.request.shellTasks.split}
                  {run.request.shellTasks.heldout === undefined ? '' : `, held out ${run.request.shellTasks.heldout}`}
                </span>
              ) : run.datasetId === null ? (
                <span className="text-second">the file {run.datasetName}</span>
              ) : (
                <TextLink href={datasetHref(run.datasetId)}>{run.datasetName ?? run.datasetId}</TextLink>
              )}
            </li>
            {run.request.mix?.length ? <MixedIn mix={run.request.mix} /> : null}
            {run.repos.length > 0 ? <li>Repositories: {run.repos.join(', ')}</li> : null}
            {run.fromRun === null ? null : (
              <li>
                Repeats <TextLink href={runHref(run.fromRun)}>an earlier run</TextLink>
              </li>
            )}
            {run.matrix === null ? null : (
              <li>
                Part of <TextLink href={matrixHref(run.matrix.id)}>a matrix of runs</TextLink>
              </li>
            )}
            <li>
              Model:{' '}
              {run.modelId === null ? (
                <span className="text-second">none yet</span>
              ) : (
                <TextLink href={modelHref(run.modelId)}>Open model</TextLink>
              )}
            </li>
            <li className="min-w-0 break-all text-second">
              Folder: <code className="font-mono text-xs">{run.folder}</code>
            </li>
          </ul>
        </Section>
      </div>
    </div>
  )
}

function RunCurves({ run }: { run: Run }) {
  const { id, no, name, strategy } = run
  const [source] = useState(() => new CurveSource(id))
  const sources = useMemo(() => [source], [source])
  useWords(sources)
  const [view, onView] = useView(AXES)
  const [error, setError] = useState<Error | null>(null)
  const onError = useCallback((next: Error | null) => setError(next), [])
  const drawnRuns = useMemo(() => [{ source, name, strategy, ...lookOf({ no }) }], [source, name, strategy, no])
  const checkpoints = useCheckpoints(id).data?.items
  const markers = useMemo(() => markersOf(checkpoints ?? []), [checkpoints])
  const hasPoints = (source.whole?.names.length ?? 0) > 0
  return (
    <Section title="Curves" note={hasPoints ? <CheckpointSteps markers={markers} /> : undefined}>
      <RunFeed source={source} view={view} onError={onError} />
      {error ? <ErrorState title="Couldn't load the curves" error={error} /> : null}
      {source.whole === null && !error ? <ChartSkeletons /> : null}
      {source.whole !== null && !hasPoints ? (
        <p className="rounded border border-line p-6 text-center text-sm text-second">
          {isOver(run) ? 'No steps were logged.' : 'The first point appears with the first logged step.'}
        </p>
      ) : null}
      {hasPoints ? (
        <Curves
          runs={drawnRuns}
          view={view}
          onView={onView}
          markers={markers}
          live={!isOver(run)}
          warningOf={(panel, panelIds) => wordsUnder(panel, panelIds, run.health)}
        >
          <SystemCharts run={run} />
        </Curves>
      ) : null}
      <NextCalls run={run} />
    </Section>
  )
}

function CheckpointSteps({ markers }: { markers: readonly Marker[] }) {
  const best = markers.find((marker) => marker.best)
  if (markers.length === 0) return <>Drag to zoom in, double-click to show all.</>
  return (
    <>
      Drag to zoom in, double-click to show all. ▾ checkpoints at {markers.map(({ step }) => step).join(', ')}
      {best ? <>, ◆ best at {best.step}</> : null}.
    </>
  )
}

const ChartSkeletons = () => (
  <Loading label="Loading the curves" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,380px),1fr))] gap-3">
    <Skeletons count={4} className="h-[284px] w-full" />
  </Loading>
)
