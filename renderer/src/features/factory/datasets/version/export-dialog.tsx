import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { pathOf } from '#contracts/derive/client.ts'
import { ExportFormat, type SplitName, type Dataset, type ExportResult } from '#contracts/entities/dataset.ts'
import { downloadDataset } from '#contracts/routes/datasets.ts'
import { api } from '#renderer/api/client.ts'
import { download } from '#renderer/api/download.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { FORMATS, SPLIT_WORDS } from '../words.ts'

const ALL = '*'

/** Exports a version: explains the formats and their losses, and lists the written files. */
export function ExportDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const fitting = ExportFormat.options.filter((format) => FORMATS[format].kinds.includes(dataset.kind))
  const [format, setFormat] = useState<ExportFormat>(fitting[0] ?? 'trl')
  const [split, setSplit] = useState<SplitName | null>(null)
  const [out, setOut] = useState('')
  const offline = useOfflineReason()
  const params = { id: dataset.id }
  const request = { format, ...(split && { split }) }
  const write = useMutation({
    mutationFn: () => api.exportDataset({ params, body: { ...request, ...(out.trim() && { out: out.trim() }) } }),
    meta: { quiet: true },
  })
  const downloading = useMutation({
    mutationFn: () => download(pathOf(downloadDataset, { params, query: request })),
    meta: { title: "Couldn't start the download" },
  })
  const { meaning, losses } = FORMATS[format]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={`Export ${dataset.name} v${dataset.version}`}
      description="Exported rows are checked against the current privacy policy, even if this version was built under an older one."
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
          <Button icon={Download} reason={offline} busy={downloading.isPending} onClick={() => downloading.mutate()}>
            Download tar
          </Button>
          <Button look="primary" reason={offline} busy={write.isPending} onClick={() => write.mutate()}>
            {write.isPending ? 'Writing …' : 'Write to folder'}
          </Button>
        </>
      }
    >
      <div className="pt-2">
        <SelectRow
          label="Format"
          hint={
            <>
              {meaning}. {losses === null ? 'Nothing is lost.' : <>Limits: {losses}.</>}
            </>
          }
          value={format}
          options={fitting.map((value) => ({ value, label: FORMATS[value].label }))}
          onChange={(next) => {
            write.reset()
            setFormat(next)
          }}
        />
        <SelectRow
          label="Split"
          value={split ?? ALL}
          options={[
            { value: ALL, label: 'All splits' },
            ...dataset.files.map((file) => ({ value: file.split, label: `${SPLIT_WORDS[file.split]} (${formatCount(file.rows)})` })),
          ]}
          onChange={(value) => setSplit(value === ALL ? null : value)}
        />
        <TextRow
          mono
          label="Folder"
          hint="Empty = the exports folder of the data directory. A missing folder is created; a folder that contains files is rejected."
          value={out}
          placeholder="/home/me/data/run-1"
          onChange={setOut}
        />
      </div>
      {write.error ? <ErrorState title="Couldn't write the export" error={write.error} /> : null}
      {write.data ? <WrittenFiles result={write.data} /> : null}
    </Dialog>
  )
}

const WrittenFiles = ({ result }: { result: ExportResult }) => (
  <div role="status" className="flex flex-col gap-2 pt-2 text-sm">
    <p>
      <b>{plural(result.files.length, 'file')} written.</b>
    </p>
    <Table
      caption="Files of the export"
      columns={[
        { id: 'file', label: 'File', className: 'font-mono text-xs break-all', cell: ({ path }) => path },
        { id: 'rows', label: 'Rows', numeric: true, cell: ({ rows }) => formatCount(rows) },
        { id: 'bytes', label: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
        {
          id: 'sha',
          label: 'SHA-256',
          className: 'font-mono text-xs',
          cell: ({ sha256 }) => <span title={sha256}>{sha256.slice(0, 12)}…</span>,
        },
      ]}
      rows={result.files}
      keyOf={({ path }) => path}
    />
    {result.warnings.map((warning) => (
      <p key={warning} className="border-l-4 border-warn pl-2">
        {warning}
      </p>
    ))}
  </div>
)
