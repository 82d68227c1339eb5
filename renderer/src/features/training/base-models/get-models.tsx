import { Download, Search } from 'lucide-react'
import { useId, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecommendedModel } from '#contracts/entities/base-model.ts'
import { baseModelKeys, useBaseModelDownloads, useBaseModels } from '#renderer/api/base-models.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { patchJob } from '#renderer/api/jobs.ts'
import { idProblem } from '#renderer/app/words/hub.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatParameters } from '#renderer/ui/format.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { DownloadLine } from './download-line.tsx'
import { FIT, NO_CALLS } from './words.ts'

/** Downloads in progress, recommended models, and a field for any other model's id. Nothing is requested before a click. */
export function GetModels({ onStarted }: { onStarted?: (id: string) => unknown }) {
  const queries = useQueryClient()
  const models = useBaseModels()
  const downloads = useBaseModelDownloads()
  const [chosenId, setChosenId] = useState<string | null>(null)
  const start = useMutation({
    mutationFn: ({ id, ref, revision }: { id: string; ref: string; revision: string }) =>
      api.downloadBaseModel({ body: { id, ref, revision } }),
    onSuccess: (job, { id }) => {
      patchJob(queries, job)
      void queries.invalidateQueries({ queryKey: baseModelKeys.downloads })
      onStarted?.(id)
    },
    meta: { title: "Couldn't start the download" },
  })
  const pending = downloads.data?.items ?? []
  const recommended = (models.data?.recommended ?? []).filter(({ id }) => !pending.some((one) => one.id === id))
  return (
    <div className="flex flex-col gap-4">
      {downloads.error ? (
        <ErrorState title="Couldn't load the downloads" error={downloads.error} retry={() => void downloads.refetch()} />
      ) : null}
      {pending.length > 0 ? (
        <ul aria-label="Downloads" className="flex flex-col gap-3">
          {pending.map((download) => (
            <li key={`${download.folder} ${download.id}`}>
              <DownloadLine download={download} onResume={() => start.mutate(download)} />
            </li>
          ))}
        </ul>
      ) : null}
      {recommended.length > 0 ? <Recommended models={recommended} onChoose={setChosenId} /> : null}
      <DownloadById onChoose={setChosenId} />
      {chosenId === null ? null : (
        <DownloadDialog key={chosenId} id={chosenId} onClose={() => setChosenId(null)} onDownload={(model) => start.mutate(model)} />
      )}
    </div>
  )
}

function Recommended({ models, onChoose }: { models: readonly RecommendedModel[]; onChoose: (id: string) => void }) {
  const offline = useOfflineReason()
  return (
    <ul aria-label="Recommended models" className="flex flex-col rounded border border-line">
      {models.map(({ id, family, license, parameters, fit, writesCalls }) => (
        <li key={id} className="flex min-h-9 items-center gap-3 border-b border-line px-2 py-1 text-sm last:border-b-0">
          <span className="min-w-0 flex-1">
            <span className="block truncate" title={id}>
              {id}
            </span>
            <span className="block truncate text-xs text-second">
              {[license ?? 'licence not known', family, writesCalls === false ? NO_CALLS : null].filter(Boolean).join(' · ')}
            </span>
          </span>
          <span className="w-32 shrink-0 text-right font-mono text-xs">{formatParameters(parameters)}</span>
          <span className="w-20 shrink-0 text-right">
            <Badge tone={FIT[fit].tone}>{FIT[fit].word}</Badge>
          </span>
          <Button size="small" icon={Download} reason={offline} aria-label={`Download ${id} …`} onClick={() => onChoose(id)}>
            Download …
          </Button>
        </li>
      ))}
    </ul>
  )
}

function DownloadById({ onChoose }: { onChoose: (id: string) => void }) {
  const id = useId()
  const offline = useOfflineReason()
  const [text, setText] = useState('')
  const problem = idProblem(text)
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        if (offline === null && problem === null) onChoose(text.trim())
      }}
    >
      <label htmlFor={id} className="text-xs text-second">
        Any other model, by its id on the hub
      </label>
      <TextInput
        id={id}
        value={text}
        onChange={setText}
        placeholder="owner/name"
        spellCheck={false}
        className="min-w-60 flex-1 font-mono text-xs!"
      />
      <Button type="submit" icon={Search} reason={offline ?? problem}>
        Look up
      </Button>
    </form>
  )
}
