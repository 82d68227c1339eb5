import { useId } from 'react'
import { FILTER_EXAMPLES } from '#contracts/filter.ts'
import { FolderInput } from '#renderer/app/folder-input.tsx'
import { tracesHref } from '#renderer/app/links.ts'
import { Choices } from '#renderer/ui/choices.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { FileButton } from '#renderer/ui/file-button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { LINE } from '../line.ts'
import type { BatchForm, ReadLines } from './form.ts'

interface Props {
  form: BatchForm
  lines: ReadLines
  /** Number of sessions selected in Traces. */
  selectedCount: number
  set: (part: Partial<BatchForm>) => void
}

/** Chooses the source of the tasks. */
export function TaskSource({ form, lines, selectedCount, set }: Props) {
  return (
    <div className="flex flex-col gap-2">
      <Choices
        label="Tasks"
        value={form.source}
        options={[
          { value: 'lines', label: 'JSON lines', meaning: 'One task per line, pasted or from a file, as for “bashgym batch”.' },
          {
            value: 'filter',
            label: 'Sessions matching a filter',
            meaning: FROM_SESSIONS,
          },
          {
            value: 'selection',
            label: 'Selected sessions',
            meaning: FROM_SESSIONS,
          },
        ]}
        onChange={(source) => set({ source })}
      />
      {form.source === 'lines' ? <Lines form={form} lines={lines} set={set} /> : null}
      {form.source === 'filter' ? (
        <div className="flex flex-wrap items-center gap-2">
          <TextInput
            aria-label="Filter of the sessions"
            className="min-w-60 flex-1 font-mono"
            placeholder={`empty: all sessions; for example ${FILTER_EXAMPLES.list}`}
            value={form.query}
            onChange={(query) => set({ query })}
          />
          <TextLink href={tracesHref(form.query)} className="text-sm">
            Show sessions
          </TextLink>
        </div>
      ) : null}
      {form.source === 'selection' ? (
        <p className="text-sm text-second">
          {selectedCount === 0 ? 'No session is selected.' : `${plural(selectedCount, 'session')} selected.`} Select them in{' '}
          <TextLink href="/traces">Traces</TextLink> and choose “Re-run with …”.
        </p>
      ) : null}
    </div>
  )
}

const FROM_SESSIONS =
  'Repeats the first prompt of each session on the newest commit before it. Sessions that cannot be repeated are listed and left out.'
/** Number of problems listed; the others are counted. */
const MAX_PROBLEMS = 5

function Lines({ form, lines: { tasks, problems, isRelative }, set }: Pick<Props, 'form' | 'lines' | 'set'>) {
  const statusId = useId()
  return (
    <>
      <TextArea
        aria-label="Tasks as JSON lines"
        rows={8}
        className="w-full font-mono text-xs!"
        placeholder={LINE}
        spellCheck={false}
        aria-invalid={problems.length > 0}
        aria-describedby={statusId}
        value={form.lines}
        onChange={(text) => set({ lines: text })}
      />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <FileButton
          inputLabel="File of tasks"
          accept=".jsonl,.ndjson,.json,.txt"
          onFiles={([file]) => void file?.text().then((text) => set({ lines: text }))}
        >
          Choose file …
        </FileButton>
        <div id={statusId} role="status" className="min-w-0 flex-1 py-1.5 text-sm">
          <p className="text-second">{tasks.length === 0 ? 'No task yet.' : `${plural(tasks.length, 'task')}.`}</p>
          {problems.slice(0, MAX_PROBLEMS).map(({ line, message }) => (
            <p key={line} className="text-xs break-words text-bad">
              Line {line}: <Visible text={message} />
            </p>
          ))}
          {problems.length > MAX_PROBLEMS ? (
            <p className="text-xs text-bad">And {plural(problems.length - MAX_PROBLEMS, 'line')} more.</p>
          ) : null}
        </div>
      </div>
      {isRelative ? (
        <div className="flex flex-wrap gap-2">
          <FolderInput
            aria-label="Base folder for relative paths"
            placeholder="/home/you/projects"
            value={form.folder}
            onChange={(folder) => set({ folder })}
          />
        </div>
      ) : null}
    </>
  )
}
