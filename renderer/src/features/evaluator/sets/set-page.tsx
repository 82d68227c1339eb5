import { Download } from 'lucide-react'
import { useState } from 'react'
import type { EvaluationCase, EvaluationSet } from '#contracts/entities/answer.ts'
import { useAnswerRuns, useEvaluationCases, useEvaluationSet } from '#renderer/api/answers.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched, FetchedPage } from '#renderer/ui/fetched.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { EmptyState } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { RUNS } from '../answers/run-list.tsx'
import { usePrepared } from '../answers/use-prepared.ts'
import { ALL_SETS, checkText } from '../answers/words.ts'
import { EMPTY_MODEL, missingModel, ModelFields, modelIn } from '../model-fields.tsx'

export default function SetPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useEvaluationSet(id)} what="set" named="own set" all={ALL_SETS}>
      {(set) => <LoadedSet set={set} />}
    </FetchedPage>
  )
}

function LoadedSet({ set }: { set: EvaluationSet }) {
  const [dialog, setDialog] = useState<'run' | 'compare' | null>(null)
  const offline = useOfflineReason()
  const [runs, cases] = [useAnswerRuns({ set: set.id }), useEvaluationCases(set.id)]
  const [{ rows, more }, listed] = [useRows(runs), useRows(cases)]
  const answered = rows.filter(({ request, done }) => request.source.kind === 'set' && done > 0)
  const run = (
    <Button look="primary" reason={offline} onClick={() => setDialog('run')}>
      Run it …
    </Button>
  )
  return (
    <Page
      title={set.name}
      summary={
        <>
          <TextLink href={ALL_SETS.href}>{ALL_SETS.label}</TextLink> · {plural(set.cases, 'case')}: {set.checked} with a check, {set.graded}{' '}
          with a rubric · made <RelativeTime at={set.createdAt} />
        </>
      }
      actions={
        rows.length === 0 ? null : (
          <>
            {answered.length < 2 ? null : (
              <Button reason={offline} onClick={() => setDialog('compare')}>
                Compare two runs …
              </Button>
            )}
            {run}
          </>
        )
      }
    >
      <Section title="Runs">
        <Fetched query={{ ...runs, refetch: runs.refetch }} what="runs" bars={['h-8 w-full']}>
          {() =>
            rows.length === 0 ? (
              <EmptyState title="No model answered this set yet" action={run}>
                Choose a model. You see the texts and the cost before anything is sent.
              </EmptyState>
            ) : (
              <>
                <Table caption="Runs" columns={RUNS} rows={rows} keyOf={({ id }) => id} />
                {runs.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
              </>
            )
          }
        </Fetched>
      </Section>
      <Section
        title="Cases"
        actions={
          <Button icon={Download} size="small" reason={offline} onClick={() => void saveCases(set)}>
            Save as JSON lines
          </Button>
        }
      >
        <Fetched query={{ ...cases, refetch: cases.refetch }} what="cases" bars={['h-8 w-full']}>
          {() => (
            <>
              <Table caption="Cases" columns={CASES} rows={listed.rows} keyOf={({ id }) => id} />
              {cases.hasNextPage ? <Button onClick={listed.more}>Show more</Button> : null}
            </>
          )}
        </Fetched>
      </Section>
      {dialog === 'run' ? <RunSet set={set} onClose={() => setDialog(null)} /> : null}
      {dialog === 'compare' ? (
        <CompareRuns options={answered.map(({ id, title }) => ({ value: id, label: title }))} onClose={() => setDialog(null)} />
      ) : null}
    </Page>
  )
}

function RunSet({ set, onClose }: { set: EvaluationSet; onClose: () => void }) {
  const [answerer, setAnswerer] = useState(EMPTY_MODEL)
  const [grader, setGrader] = useState(EMPTY_MODEL)
  const offline = useOfflineReason()
  const { job, prepare, isStarted } = usePrepared()
  const [asked, graded] = [modelIn(answerer), set.graded > 0 ? modelIn(grader) : undefined]
  const missing = asked === null ? missingModel(answerer) : graded === null ? missingModel(grader) : null
  return (
    <FormDialog
      wide
      title="Run the set"
      description="The next page shows every text as it would be sent, and the cost. Nothing is sent before you start it there."
      action="Prepare"
      reason={offline ?? missing}
      busy={job.busy}
      onSubmit={() => {
        if (asked === null || graded === null) return
        prepare({ source: { kind: 'set', set: set.id, answerer: asked }, ...(graded && { model: graded }) })
      }}
      onClose={onClose}
    >
      <ModelFields label="Who answers" value={answerer} onChange={setAnswerer} />
      {set.graded > 0 ? <ModelFields label="Who grades" value={grader} onChange={setGrader} /> : null}
      {isStarted ? <JobState name="Texts" work={job} failed="Couldn't read the texts" /> : null}
    </FormDialog>
  )
}

function CompareRuns({ options, onClose }: { options: { value: string; label: string }[]; onClose: () => void }) {
  const [[one, other], setRuns] = useState([options[1]!.value, options[0]!.value] as const)
  const [grader, setGrader] = useState(EMPTY_MODEL)
  const offline = useOfflineReason()
  const { job, prepare, isStarted } = usePrepared()
  const model = modelIn(grader)
  const missing = one === other ? 'Choose two different runs.' : model === null ? missingModel(grader) : null
  return (
    <FormDialog
      wide
      title="Compare two runs"
      description="Each pair is shown to the model in both orders. A verdict that changes with the order counts as tied."
      action="Prepare"
      reason={offline ?? missing}
      busy={job.busy}
      onSubmit={() => model && prepare({ source: { kind: 'compare', runs: [one, other] }, model })}
      onClose={onClose}
    >
      <SelectRow label="First" className="w-96 max-w-full" value={one} options={options} onChange={(id) => setRuns([id, other])} />
      <SelectRow label="Second" className="w-96 max-w-full" value={other} options={options} onChange={(id) => setRuns([one, id])} />
      <ModelFields label="Who compares" value={grader} onChange={setGrader} />
      {isStarted ? <JobState name="Texts" work={job} failed="Couldn't read the texts" /> : null}
    </FormDialog>
  )
}

/** The cases as a set is made from them, for adding checks. */
const saveCases = ({ id, name }: EvaluationSet) =>
  saveFrom(`${name}.jsonl`, "Couldn't save the cases", async () => {
    const lines: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await api.listEvaluationCases({ params: { id }, query: { limit: 100, ...(cursor !== undefined && { cursor }) } })
      for (const { id: _, no: __, ...one } of page.items) lines.push(`${JSON.stringify(one)}\n`)
      if (page.nextCursor === null) return new Blob(lines, { type: 'application/jsonl' })
      cursor = page.nextCursor
    }
  })

const CASES: Column<EvaluationCase & { id: string; no: number }>[] = [
  { id: 'no', label: 'No.', numeric: true, cell: ({ no }) => no + 1 },
  {
    id: 'prompt',
    label: 'Prompt',
    cell: ({ prompt }) => (
      <span className="line-clamp-3 break-words">
        <Visible text={prompt} />
      </span>
    ),
  },
  {
    id: 'how',
    label: 'Scored by',
    cell: ({ check, rubric }) => (
      <span className="line-clamp-3 min-w-40 text-xs break-all text-second">
        {check ? <Visible text={checkText(check)} /> : null}
        {check && rubric ? '; ' : ''}
        {rubric ? <Visible text={`rubric: ${rubric.task}`} /> : null}
        {check || rubric ? null : 'not scored'}
      </span>
    ),
  },
]
