import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HubModel } from '#contracts/entities/base-model.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { formatBytes, formatParameters } from '#renderer/ui/format.ts'
import { OutsideLink } from '#renderer/ui/outside-link.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { accessSentence, familyWord, FIT, sizeSentence } from './words.ts'

/** What the hub says of a model, before anything of it is downloaded. It is asked when the dialog opens, and never again by itself. */
export function DownloadDialog({ id, onClose, onDownload }: { id: string; onClose: () => void; onDownload: (model: HubModel) => void }) {
  const offline = useOfflineReason()
  const model = useQuery({
    queryKey: ['training', 'look-up', id],
    queryFn: ({ signal }) => api.lookUpBaseModel({ body: { id }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const problem = model.data?.problem ?? null
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Download ${id}?`}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            icon={Download}
            reason={offline ?? problem ?? (model.data ? null : 'Its size is not known yet.')}
            onClick={() => {
              if (!model.data) return
              onDownload(model.data)
              onClose()
            }}
          >
            Download
          </Button>
        </>
      }
    >
      {model.data ? <Facts model={model.data} /> : null}
      {model.error ? <ErrorState title="Couldn't look up the model" error={model.error} retry={() => void model.refetch()} /> : null}
      {model.isPending ? (
        <Loading label="Asking the hub about the model" className="flex flex-col gap-2 pt-2">
          {['a', 'b', 'c', 'd', 'e'].map((row) => (
            <Skeleton key={row} className="h-5 w-full" />
          ))}
        </Loading>
      ) : null}
    </Dialog>
  )
}

function Facts({ model }: { model: HubModel }) {
  const { license, parameters, architecture, fit, folder, freeBytes, page, problem, hint } = model
  return (
    <div className="flex flex-col gap-3 pt-1">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <Line name="Size">{sizeSentence(model)}</Line>
        <Line name="Licence">{license ?? 'not stated'}</Line>
        <Line name="Access">{accessSentence(model)}</Line>
        <Line name="Model">
          {[familyWord(architecture), parameters === null ? null : `${formatParameters(parameters)} parameters`]
            .filter(Boolean)
            .join(', ') || 'unknown'}
        </Line>
        <Line name="Memory">
          <Badge tone={FIT[fit].tone}>{FIT[fit].word}</Badge> <span className="text-second">{FIT[fit].meaning}</span>
        </Line>
        <Line name="Folder">
          <span className="font-mono text-xs break-all">{folder}</span>
          <span className="text-second">, {freeBytes === null ? 'free space unknown' : `${formatBytes(freeBytes)} free`}</span>
        </Line>
        <Line name="Page">
          <OutsideLink href={page}>{page}</OutsideLink>
        </Line>
      </dl>
      {problem ? (
        <div role="alert" className="rounded border border-warn p-3 text-sm">
          <p className="break-words">{problem}</p>
          {hint ? <p className="text-second">{hint}</p> : null}
        </div>
      ) : null}
    </div>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-second">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
)
