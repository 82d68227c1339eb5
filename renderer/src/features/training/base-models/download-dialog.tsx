import { useQuery } from '@tanstack/react-query'
import type { HubModel } from '#contracts/entities/base-model.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { accessSentence, sizeSentence } from '#renderer/app/words/hub.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatBytes, formatParameters } from '#renderer/ui/format.ts'
import { OutsideLink } from '#renderer/ui/outside-link.tsx'
import { callsSentence, familyWord, FIT } from './words.ts'

/** Shows what the hub says about a model before it is downloaded. Requested once, when the dialog opens. */
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
    <FormDialog
      title={`Download ${id}?`}
      action="Download"
      reason={offline ?? problem ?? (model.data ? null : 'The size is not known yet.')}
      busy={false}
      onSubmit={() => {
        if (!model.data) return
        onDownload(model.data)
        onClose()
      }}
      onClose={onClose}
    >
      <Fetched query={model} what="model" bars={['h-5 w-full', 'h-5 w-full', 'h-5 w-full', 'h-5 w-full', 'h-5 w-full']}>
        {(found) => <ModelFacts model={found} />}
      </Fetched>
    </FormDialog>
  )
}

function ModelFacts({ model }: { model: HubModel }) {
  const { license, parameters, architecture, fit, folder, freeBytes, page, problem, hint, writesCalls } = model
  return (
    <div className="flex flex-col gap-3 pt-1">
      <Facts>
        <Fact name="Size">{sizeSentence(model)}</Fact>
        <Fact name="Licence">{license ?? 'not stated'}</Fact>
        <Fact name="Access">{accessSentence(model)}</Fact>
        <Fact name="Model">
          {[familyWord(architecture), parameters === null ? null : `${formatParameters(parameters)} parameters`]
            .filter(Boolean)
            .join(', ') || 'unknown'}
        </Fact>
        <Fact name="Memory">
          <Badge tone={FIT[fit].tone}>{FIT[fit].word}</Badge> <span className="text-second">{FIT[fit].meaning}</span>
        </Fact>
        <Fact name="Tool calls">{callsSentence(writesCalls)}</Fact>
        <Fact name="Folder">
          <span className="font-mono text-xs break-all">{folder}</span>
          <span className="text-second">, {freeBytes === null ? 'free space unknown' : `${formatBytes(freeBytes)} free`}</span>
        </Fact>
        <Fact name="Page">
          <OutsideLink href={page}>{page}</OutsideLink>
        </Fact>
      </Facts>
      {problem ? (
        <div role="alert" className="rounded border border-warn p-3 text-sm">
          <p className="break-words">{problem}</p>
          {hint ? <p className="text-second">{hint}</p> : null}
        </div>
      ) : null}
    </div>
  )
}
