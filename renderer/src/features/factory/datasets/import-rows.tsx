import { own } from '#contracts/lookup.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useId, useState } from 'react'
import { columnUsesText, DatasetKind, RowImport, type FilePeek } from '#contracts/entities/dataset.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { SelectRow, SwitchRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { KIND_WORDS } from './words.ts'

/** Fields of our rows that a column can be mapped to. */
const FIELDS = [
  'messages',
  'prompt',
  'completion',
  'chosen',
  'rejected',
  'label',
  'tools',
  'conversations',
  'instruction',
  'input',
  'output',
  'system',
] as const
const NONE = '—'
const BY_COLUMNS = 'auto'

type Body = Parameters<typeof api.importRows>[0]['body']

/** Imports rows of a file: preview, column mapping, import, and a list of invalid rows. */
export default function ImportRows() {
  const id = useId()
  const offline = useOfflineReason()
  const [file, setFile] = useState('')
  /** The previewed file; only this file can be imported. */
  const [previewedFile, setPreviewedFile] = useState<string | null>(null)
  /** The job that imported an earlier file; its result is hidden. */
  const [earlierJobId, setEarlierJobId] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [kind, setKind] = useState<DatasetKind | null>(null)
  const [columns, setColumns] = useState<Record<string, string>>({})
  const [skipInvalid, setSkipInvalid] = useState(false)
  const peek = useMutation({
    mutationFn: (mapping: Record<string, string>) => api.peekFile({ body: { file: file.trim(), columns: mapping } }),
    meta: { quiet: true },
  })
  const job = useJobOf('dataset-import', (body: Body) => api.importRows({ body }), "Couldn't start the import")
  const isEarlierJob = job.job !== null && job.job.id === earlierJobId
  const result = RowImport.safeParse(job.result)
  const isPreviewed = file.trim() === previewedFile
  const map = (ours: string, theirs: string) => {
    const next = Object.fromEntries(Object.entries({ ...columns, [ours]: theirs }).filter(([, value]) => value !== NONE))
    setColumns(next)
    peek.mutate(next)
  }
  return (
    <Page
      narrow
      title="Import rows"
      summary={
        <>
          Import from a JSONL or Parquet file. The file itself is not changed. <TextLink href="/factory/datasets">All data sets</TextLink>
        </>
      }
    >
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!file.trim() || offline !== null) return
          setColumns({})
          setPreviewedFile(file.trim())
          setEarlierJobId(job.running ? null : (job.job?.id ?? null))
          peek.mutate({})
        }}
      >
        <label htmlFor={`${id}-file`} className="flex min-w-72 flex-1 flex-col gap-1 text-sm font-semibold">
          File
          <TextInput
            id={`${id}-file`}
            className="font-mono font-normal"
            value={file}
            placeholder="/home/me/data/rows.jsonl"
            onChange={setFile}
          />
        </label>
        <Button type="submit" reason={offline ?? (file.trim() ? null : 'Enter the path of a file first.')} busy={peek.isPending}>
          Preview file
        </Button>
      </form>
      {peek.error && isPreviewed ? <ErrorState title="Couldn't read the file" error={peek.error} /> : null}
      {peek.data && isPreviewed ? (
        <>
          <FirstRows peek={peek.data} />
          <Section title="Columns" note="Only needed if the names differ">
            <div className="grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-x-6 gap-y-2">
              {FIELDS.map((ours) => (
                <div key={ours} className="flex items-center justify-between gap-3 text-sm">
                  <label htmlFor={`${id}-${ours}`} className="font-mono">
                    {ours}
                  </label>
                  <Select
                    id={`${id}-${ours}`}
                    value={columns[ours] ?? NONE}
                    options={[{ value: NONE, label: 'Same name' }, ...peek.data.columns.map((value) => ({ value, label: value }))]}
                    onChange={(theirs) => map(ours, theirs)}
                  />
                </div>
              ))}
            </div>
          </Section>
          <Section title="Import">
            <div>
              <TextRow label="Name" hint="The name recipes use for these rows." value={name} placeholder="File name" onChange={setName} />
              <SelectRow
                label="Kind"
                value={kind ?? BY_COLUMNS}
                options={[
                  { value: BY_COLUMNS, label: 'Detect from the columns' },
                  ...DatasetKind.options.map((value) => ({ value, label: KIND_WORDS[value].label })),
                ]}
                onChange={(value) => setKind(value === BY_COLUMNS ? null : value)}
              />
              <SwitchRow
                label="Exclude invalid rows"
                hint="When off, a single invalid row stops the import."
                checked={skipInvalid}
                onChange={setSkipInvalid}
              />
            </div>
            <div>
              <Button
                look="primary"
                reason={offline}
                busy={job.busy}
                onClick={() =>
                  job.start({ file: file.trim(), columns, skipInvalid, ...(name.trim() && { name: name.trim() }), ...(kind && { kind }) })
                }
              >
                Import rows
              </Button>
            </div>
          </Section>
        </>
      ) : null}
      {job.running ? <JobProgress name="Importing rows" job={job.running} /> : null}
      {job.error && !isEarlierJob ? <ErrorState title="Nothing was imported" error={job.error} /> : null}
      {result.success && !isEarlierJob ? <Outcome key={job.job?.id} result={result.data} /> : null}
    </Page>
  )
}

function FirstRows({ peek }: { peek: FilePeek }) {
  return (
    <Section
      title="First rows"
      note={[plural(peek.columns.length, 'column'), ...(peek.kind ? [`detected as ${KIND_WORDS[peek.kind].label}`] : [])].join('; ')}
    >
      {peek.problem ? <p className="border-l-4 border-warn pl-3 text-sm">{peek.problem}</p> : null}
      {peek.rows.length > 0 ? (
        <Table
          caption="First rows of the file"
          columns={peek.columns.map((name) => ({
            id: name,
            label: name,
            className: 'font-mono text-xs',
            cell: ({ row }: { row: Record<string, unknown>; at: number }) => (
              <span className="line-clamp-3 max-w-80 min-w-24 break-words">{textOfCell(own(row, name))}</span>
            ),
          }))}
          rows={peek.rows.map((row, at) => ({ row, at }))}
          keyOf={({ at }) => String(at)}
        />
      ) : null}
    </Section>
  )
}

function Outcome({ result }: { result: RowImport }) {
  const { collection, read, errorCount, errors, hint, columnUses } = result
  // the result is below a long form
  const scrollIntoView = useCallback((element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' }), [])
  return (
    <Section title={collection ? 'Imported' : 'Nothing was imported'}>
      <p ref={scrollIntoView} role="status" className="text-sm">
        {collection
          ? `${plural(collection.rows, 'row')} (${KIND_WORDS[collection.kind].label}) imported as “${collection.name}”${errorCount > 0 ? `; ${plural(errorCount, 'row')} excluded` : ''}.`
          : read === 0
            ? 'The file contains no rows.'
            : `${formatCount(errorCount)} of ${plural(read, 'row')} have errors.`}
        {hint ? ` ${hint}` : null}
      </p>
      {columnUses.length > 0 ? <p className="text-sm text-second">{columnUsesText(columnUses)}</p> : null}
      {collection ? (
        <div>
          <ButtonLink href={`/factory/datasets/new?kind=${collection.kind}`}>Build data set</ButtonLink>
        </div>
      ) : null}
      {errors.length > 0 ? (
        <div className="max-h-96 overflow-y-auto">
          <Table
            caption="Rows with errors"
            columns={[
              { id: 'row', label: 'Row', numeric: true, cell: ({ row }) => formatCount(row) },
              { id: 'field', label: 'Field', className: 'font-mono text-xs', cell: ({ field }) => field || 'Whole row' },
              { id: 'message', label: 'Problem', className: 'break-words', cell: ({ message }) => message },
            ]}
            rows={errors}
            keyOf={({ row, field, message }) => `${row} ${field} ${message}`}
          />
          {errorCount > errors.length ? <p className="text-xs text-second">Only the first {errors.length} are listed.</p> : null}
        </div>
      ) : null}
    </Section>
  )
}

const textOfCell = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value))
