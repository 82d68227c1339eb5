import { useState } from 'react'
import { ShellSplit, ShellTaskImport } from '#contracts/entities/shell-task.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'

type Body = Parameters<typeof api.importShellTasks>[0]['body']

/** Imports a file of tasks into a split. The report is shown until the dialog is closed. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const offline = useOfflineReason()
  const [file, setFile] = useState('')
  const [split, setSplit] = useState('')
  const [isHeldOut, setHeldOut] = useState(false)
  const [keepNear, setKeepNear] = useState(false)
  /** Hides an import that ran before the dialog was opened. */
  const [isStarted, setStarted] = useState(false)
  const job = useJobOf('shell-tasks-import', (body: Body) => api.importShellTasks({ body }), "Couldn't start the import")
  const result = ShellTaskImport.safeParse(job.result)
  const isSplit = ShellSplit.safeParse(split.trim()).success
  const reason =
    offline ??
    (file.trim() === ''
      ? 'Enter the path of a file or folder first.'
      : isSplit
        ? null
        : 'Enter the name of a split first: lower-case letters, digits, ., _ and -.')
  const start = () => {
    setStarted(true)
    job.start({ file: file.trim(), split: split.trim(), keepNear, ...(isHeldOut && { isHeldOut }) })
  }
  return (
    <FormDialog
      wide
      title="Import shell tasks"
      description="JSON lines or Parquet with one task per row: task, setup_commands, success_condition, difficulty_level, reference_solution. The file is not changed."
      action="Import tasks"
      close="Close"
      reason={reason}
      busy={job.busy}
      onSubmit={start}
      onClose={onClose}
    >
      <TextRow
        label="File"
        hint="The absolute path of a file, or of a folder of Harbor tasks, on this machine."
        value={file}
        placeholder="/home/me/tasks.jsonl"
        mono
        onChange={setFile}
      />
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
      {isStarted && job.running ? <JobProgress name="Import" job={job.running} /> : null}
      {isStarted && job.error ? <ErrorState title="Nothing was imported" error={job.error} /> : null}
      {isStarted && result.success ? <Report result={result.data} /> : null}
    </FormDialog>
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
