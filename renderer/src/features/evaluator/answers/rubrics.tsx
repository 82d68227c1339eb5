import { useState } from 'react'
import type { Rubric, RubricText } from '#contracts/entities/answer.ts'
import { useRubrics, useSaveRubric } from '#renderer/api/answers.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { LinesRow } from '#renderer/ui/form-rows.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { ALL_ANSWERS, metricWord } from './words.ts'

/** `/evaluator/answers/rubrics`: what a model is asked about each metric. */
export default function RubricsPage() {
  const [edited, setEdited] = useState<Rubric | null>(null)
  const offline = useOfflineReason()
  return (
    <FetchedPage query={useRubrics()} what="rubrics" all={ALL_ANSWERS}>
      {({ items }) => (
        <Page
          title="Rubrics"
          narrow
          summary={
            <>
              <TextLink href={ALL_ANSWERS.href}>{ALL_ANSWERS.label}</TextLink> · A change is a new version: earlier grades keep theirs, and
              the agreement with your labels is measured again.
            </>
          }
        >
          {[...Map.groupBy(items, ({ metric }) => metric).values()].map(([rubric]) =>
            rubric === undefined ? null : (
              <Section
                key={rubric.metric}
                title={metricWord(rubric.metric)}
                note={rubric.version === 0 ? 'ours' : `version ${rubric.version}, yours`}
                actions={
                  <Button size="small" reason={offline} onClick={() => setEdited(rubric)} aria-label={`Edit ${metricWord(rubric.metric)}`}>
                    Edit
                  </Button>
                }
              >
                <Facts>
                  <Fact name="Role">
                    <Visible text={rubric.role} />
                  </Fact>
                  <Fact name="Task">
                    <Visible text={rubric.task} />
                  </Fact>
                  {POINTS.map(({ key, label }) => (
                    <Fact key={key} name={label}>
                      <Visible text={rubric.anchors[key]} />
                    </Fact>
                  ))}
                </Facts>
              </Section>
            ),
          )}
          {edited ? <EditRubric rubric={edited} onClose={() => setEdited(null)} /> : null}
        </Page>
      )}
    </FetchedPage>
  )
}

const POINTS = [
  { key: 'one', label: '1 means' },
  { key: 'three', label: '3 means' },
  { key: 'five', label: '5 means' },
] as const

function EditRubric({ rubric: { metric, role, task, anchors }, onClose }: { rubric: Rubric; onClose: () => void }) {
  const [form, setForm] = useState<RubricText>({ role, task, anchors })
  const offline = useOfflineReason()
  const save = useSaveRubric(onClose)
  const isWhole = [form.role, form.task, ...Object.values(form.anchors)].every((text) => text.trim() !== '')
  return (
    <FormDialog
      wide
      title={`Rubric: ${metricWord(metric)}`}
      description="2 and 4 lie between the points that you describe."
      action="Save as a new version"
      reason={offline ?? (isWhole ? null : 'Every part needs a text.')}
      busy={save.isPending}
      onSubmit={() => save.mutate({ metric, body: form })}
      onClose={onClose}
    >
      <LinesRow isWhole label="Role" value={form.role} onChange={(text) => setForm({ ...form, role: text })} />
      <LinesRow isWhole label="Task" value={form.task} onChange={(text) => setForm({ ...form, task: text })} />
      {POINTS.map(({ key, label }) => (
        <LinesRow
          key={key}
          isWhole
          label={label}
          value={form.anchors[key]}
          onChange={(text) => setForm({ ...form, anchors: { ...form.anchors, [key]: text } })}
        />
      ))}
      {save.error ? <ErrorState title="Couldn't save the rubric" error={save.error} /> : null}
    </FormDialog>
  )
}
