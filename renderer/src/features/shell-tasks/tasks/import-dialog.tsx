import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type HubShellTasks, ShellSplit, ShellTaskImport } from '#contracts/entities/shell-task.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { accessSentence, idProblem, sizeSentence } from '#renderer/app/words/hub.ts'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { OutsideLink } from '#renderer/ui/outside-link.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'

type Body = Parameters<typeof api.importShellTasks>[0]['body']

/** Imports a file or a data set of tasks into a split. The report is shown until the dialog is closed. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const offline = useOfflineReason()
  const [from, setFrom] = useState<'file' | 'hub'>('file')
  const [file, setFile] = useState('')
  const [id, setId] = useState('')
  const [split, setSplit] = useState('')
  const [isHeldOut, setHeldOut] = useState(false)
  const [keepNear, setKeepNear] = useState(false)
  /** Hides an import that ran before the dialog was opened. */
  const [isStarted, setStarted] = useState(false)
  const job = useJobOf('shell-tasks-import', (body: Body) => api.importShellTasks({ body }), "Couldn't start the import")
  const result = ShellTaskImport.safeParse(job.result)
  const isSplit = ShellSplit.safeParse(split.trim()).success
  const wanted = { id: id.trim(), split: split.trim() }
  const hub = useMutation({ mutationFn: (body: typeof wanted) => api.lookUpShellTasks({ body }), meta: { quiet: true } })
  /** What the hub told about the id and the split that the fields name now. */
  const set = hub.data && hub.variables.id === wanted.id && hub.variables.split === wanted.split ? hub.data : null
  const isLookUp = from === 'hub' && set === null
  const place = from === 'hub' ? idProblem(id) : file.trim() === '' ? 'Enter the path of a file or folder first.' : null
  const reason =
    offline ??
    place ??
    (isSplit
      ? from === 'hub'
        ? (set?.problem ?? null)
        : null
      : 'Enter the name of a split first: lower-case letters, digits, ., _ and -.')
  const start = () => {
    if (isLookUp) return hub.mutate(wanted)
    setStarted(true)
    const source = from === 'hub' && set ? { hub: { id: set.id, revision: set.revision } } : { file: file.trim() }
    job.start({ ...source, split: split.trim(), keepNear, ...(isHeldOut && { isHeldOut }) })
  }
  return (
    <FormDialog
      wide
      title="Import shell tasks"
      description="JSON lines or Parquet with one task per row: task, setup_commands, success_condition, difficulty_level, reference_solution. The file is not changed."
      action={isLookUp ? 'Look up' : 'Import tasks'}
      close="Close"
      reason={reason}
      busy={job.busy || hub.isPending}
      onSubmit={start}
      onClose={onClose}
    >
      <Segmented
        label="Source"
        value={from}
        options={[
          { id: 'file', label: 'File or folder' },
          { id: 'hub', label: 'Hugging Face Hub' },
        ]}
        onChange={(next) => {
          setFrom(next)
          if (next === 'hub' && split === '') setSplit('train')
        }}
      />
      {from === 'file' ? (
        <TextRow
          label="File"
          hint="The absolute path of a file, or of a folder of Harbor tasks, on this machine."
          value={file}
          placeholder="/home/me/tasks.jsonl"
          mono
          onChange={setFile}
        />
      ) : (
        <TextRow
          label="Data set"
          hint="Its id on the hub. Size and licence are shown before anything is downloaded."
          value={id}
          placeholder="OWNER/NAME"
          mono
          onChange={setId}
        />
      )}
      <TextRow
        label="Split"
        hint="A name for these tasks. Splits called test, eval, heldout or …-heldout are held out."
        error={split !== '' && !isSplit ? 'Only lower-case letters, digits, ., _ and - are allowed.' : undefined}
        value={split}
        placeholder="train"
        mono
        onChange={setSplit}
      />
      <SwitchRow
        label="Held out"
        hint="Never used for training. Other splits reject near duplicates of these tasks."
        checked={isHeldOut}
        onChange={setHeldOut}
      />
      <SwitchRow label="Keep near duplicates" hint="Otherwise they are skipped and counted." checked={keepNear} onChange={setKeepNear} />
      {from === 'hub' && set ? <SetFacts set={set} /> : null}
      {from === 'hub' && hub.error ? <ErrorState title="The data set was not found" error={hub.error} /> : null}
      {isStarted && job.running ? <JobProgress name="Import" job={job.running} /> : null}
      {isStarted && job.error ? <ErrorState title="Nothing was imported" error={job.error} /> : null}
      {isStarted && result.success ? <Report result={result.data} /> : null}
    </FormDialog>
  )
}

function SetFacts({ set }: { set: HubShellTasks }) {
  return (
    <section aria-label="Data set" className="flex flex-col gap-2 py-2">
      <Facts>
        <Fact name="Size">{sizeSentence(set)}</Fact>
        <Fact name="Licence">{set.license ?? 'not stated'}</Fact>
        <Fact name="Access">{accessSentence(set)}</Fact>
        {set.leftOut.length > 0 ? <Fact name="Other parts">{plural(set.leftOut.length, 'file')} not imported into this split</Fact> : null}
        <Fact name="Page">
          <OutsideLink href={set.page}>{set.page}</OutsideLink>
        </Fact>
      </Facts>
      {set.problem ? (
        <p role="alert" className="rounded border border-warn p-3 text-sm">
          {set.problem}
        </p>
      ) : null}
    </section>
  )
}

function Report({ result: { imported, duplicates, needsDocker, bad } }: { result: ShellTaskImport }) {
  return (
    <section aria-label="Import report" className="flex flex-col gap-2 pt-3">
      <p role="status" className="text-sm">
        {plural(imported, 'task')} imported. Left out: {formatCount(duplicates.exact)} already there, {formatCount(duplicates.near)} near
        duplicates, {plural(bad.length, 'bad line')}.
      </p>
      <Lines caption="Imported lines that need Docker" label="Reason" lines={needsDocker} />
      <Lines caption="Bad lines" label="Problem" lines={bad} />
    </section>
  )
}

function Lines({ caption, label, lines }: { caption: string; label: string; lines: ShellTaskImport['bad'] }) {
  if (lines.length === 0) return null
  return (
    <div className="flex max-h-64 flex-col gap-1 overflow-y-auto">
      <p aria-hidden className="text-sm font-semibold">
        {caption}
      </p>
      <Table
        caption={caption}
        columns={[
          { id: 'line', label: 'Line', numeric: true, className: 'w-16', cell: ({ line }) => formatCount(line) },
          { id: 'reason', label, className: 'break-words', cell: ({ reason }) => reason },
        ]}
        rows={lines.slice(0, 200)}
        keyOf={({ line, reason }) => `${line} ${reason}`}
      />
      {lines.length > 200 ? <p className="text-xs text-second">Only the first 200 are listed.</p> : null}
    </div>
  )
}
