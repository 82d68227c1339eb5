import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Artifact, Model, Parity } from '#contracts/entities/model.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { copyText } from '#renderer/ui/copy-text.ts'
import { useDeleteArtifact } from '../queries.ts'
import { ARTIFACT_STATES, artifactWord } from '../words.ts'
import { ParityDialog } from './parity-dialog.tsx'
import { parityWords } from './parity-words.ts'

/** The files of a model: the trained weights and their exports. `marked`: the file that a link points to. */
export function Artifacts({ model, marked }: { model: Model; marked: string | null }) {
  const [open, setOpen] = useState<Artifact | null>(null)
  const [artifactToDelete, setArtifactToDelete] = useState<Artifact | null>(null)
  const remove = useDeleteArtifact(model.id)
  return (
    <Section title="Artifacts" note="Each file is checked for changes whenever it is listed">
      <div className="relative overflow-x-auto">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">Artifacts of {model.name}</caption>
          <thead>
            <tr className="border-b border-line text-left text-xs text-second">
              {['Artifact', 'State', 'Matches the trained model', 'SHA-256'].map((label) => (
                <th key={label} scope="col" className="py-1.5 pr-4 font-normal">
                  {label}
                </th>
              ))}
              <th scope="col" className="py-1.5 pr-4 text-right font-normal">
                Size
              </th>
              <th scope="col" className="py-1.5 pr-4 text-right font-normal">
                Created
              </th>
              <th scope="col" className="sr-only">
                Delete
              </th>
            </tr>
          </thead>
          <tbody>
            {model.artifacts.map((artifact, index) => (
              <Row
                key={artifact.id}
                artifact={artifact}
                isTrained={index === 0}
                isMarked={artifact.id === marked}
                onOpen={() => setOpen(artifact)}
                onDelete={() => setArtifactToDelete(artifact)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {open?.parity ? <ParityDialog title={artifactWord(open)} parity={open.parity} onClose={() => setOpen(null)} /> : null}
      <Confirm
        open={artifactToDelete !== null}
        onOpenChange={(isOpen) => !isOpen && setArtifactToDelete(null)}
        title={artifactToDelete ? `Delete ${artifactWord(artifactToDelete)}?` : ''}
        action="Delete"
        onConfirm={() => artifactToDelete && remove.mutate(artifactToDelete.id)}
      >
        <p>
          {formatBytes(artifactToDelete?.bytes)} will be freed. It can be made again from the trained weights; programs that use the file
          will no longer find it.
        </p>
      </Confirm>
    </Section>
  )
}

function Row({
  artifact,
  isTrained,
  isMarked,
  onOpen,
  onDelete,
}: {
  artifact: Artifact
  isTrained: boolean
  isMarked: boolean
  onOpen: () => void
  onDelete: () => void
}) {
  const offline = useOfflineReason()
  const row = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: 'center' })
  }, [isMarked])
  const { label, tone, meaning } = ARTIFACT_STATES[artifact.state]
  return (
    <tr ref={row} aria-current={isMarked || undefined} className={cn('border-b border-line last:border-b-0', isMarked && 'bg-accent/12')}>
      <th scope="row" className="py-1.5 pr-4 text-left font-normal whitespace-nowrap">
        {artifactWord(artifact)}
        <span className="block w-60 font-mono text-xs text-second xl:w-96">
          <CopyText text={artifact.path} label={`path of ${artifactWord(artifact)}`} />
        </span>
        {artifact.notice === null ? null : (
          <span className="block w-60 text-xs whitespace-normal text-warn xl:w-96">{artifact.notice}</span>
        )}
      </th>
      <td aria-label={label} className="pr-4">
        <Badge tone={tone}>
          <span title={meaning}>{label}</span>
        </Badge>
      </td>
      <td className="pr-4 whitespace-nowrap">
        {isTrained ? <span className="text-second">the trained weights</span> : <ParityCell parity={artifact.parity} onOpen={onOpen} />}
      </td>
      <td className="pr-4 font-mono text-xs">
        {artifact.sha256 === null ? (
          <span className="font-sans text-second">calculating</span>
        ) : (
          <CopyText text={artifact.sha256} label={`SHA-256 of ${artifactWord(artifact)}`} shown={`${artifact.sha256.slice(0, 12)}…`} />
        )}
      </td>
      <td className="pr-4 text-right font-mono text-xs whitespace-nowrap">{formatBytes(artifact.bytes)}</td>
      <td className="pr-4 text-right whitespace-nowrap">
        <RelativeTime at={artifact.createdAt} className="text-second" />
      </td>
      <td className="text-right">
        <IconButton
          size="small"
          icon={Trash2}
          label={`Delete ${artifactWord(artifact)}`}
          reason={isTrained ? 'The trained weights are deleted with the model.' : offline}
          onClick={onDelete}
        />
      </td>
    </tr>
  )
}

const CopyText = ({ text, label, shown }: { text: string; label: string; shown?: string }) => (
  <button
    type="button"
    title={`${text} – click to copy`}
    className="flex min-h-6 max-w-full min-w-0 rounded-sm hover:text-accent"
    onClick={() => void copyText(text, { note: text })}
  >
    <span className="sr-only">Copy {label}: </span>
    {shown === undefined ? <MiddleCut text={text} end={18} className="items-center" /> : <span className="self-center">{shown}</span>}
  </button>
)

function ParityCell({ parity, onOpen }: { parity: Parity | null; onOpen: () => void }) {
  if (parity === null)
    return (
      <span className="text-second" title="The comparison was switched off, or the data set has no held-out prompts.">
        not compared
      </span>
    )
  const { answers, calls, isSame } = parityWords(parity)
  return (
    <Button size="small" look="quiet" className="-ml-2" onClick={onOpen}>
      <span className={isSame ? 'text-ok' : 'text-warn'}>{answers}</span>
      {calls === null ? null : <span className="text-second">{calls}</span>}
    </Button>
  )
}
