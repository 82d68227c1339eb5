import { useId, useState } from 'react'
import type { Parity } from '#contracts/entities/model.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { plural } from '#renderer/ui/format.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { parityLimits, parityWords } from './parity-words.ts'

/** Held-out prompts with both answers, differing ones first. */
export function ParityDialog({ title, parity, onClose }: { title: string; parity: Parity; onClose: () => void }) {
  const id = useId()
  const [onlyOther, setOnlyOther] = useState(false)
  const items = parity.items.map((item, index) => ({ ...item, index })).toSorted((a, b) => Number(a.same) - Number(b.same))
  const shown = onlyOther ? items.filter(({ same }) => !same) : items
  const { answers, calls } = parityWords(parity)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={`${title} beside the trained model`}
      description={
        <>
          Both answered {plural(parity.prompts, 'held-out prompt')} with greedy decoding, <RelativeTime at={parity.at} />. {answers}
          {calls === null ? '; none was answered by a tool call' : `; ${calls} the same`}. {parityLimits(parity)}
        </>
      }
    >
      <div className="flex items-center gap-2 py-2 text-sm">
        <Switch id={id} checked={onlyOther} onChange={setOnlyOther} />
        <label htmlFor={id}>Only answers that differ</label>
      </div>
      {shown.length === 0 ? <EmptyState title="No answer differs">Every prompt got exactly the same answer.</EmptyState> : null}
      <ol className="flex flex-col gap-4">
        {shown.map(({ index, prompt, trained, exported, same, sameCall }) => (
          <li key={index} className="flex flex-col gap-1.5 text-sm">
            <div className="flex items-center gap-2">
              <span className="font-semibold">Prompt {index + 1}</span>
              <Badge tone={same ? 'ok' : 'warn'}>{same ? 'same' : 'differs'}</Badge>
              {sameCall === null ? null : (
                <Badge tone={sameCall ? 'ok' : 'bad'}>{sameCall ? 'same tool call' : 'different tool call'}</Badge>
              )}
            </div>
            <p className="max-h-24 overflow-hidden break-words whitespace-pre-wrap text-second" title={visible(prompt)}>
              <Visible text={prompt} />
            </p>
            <div className="grid gap-2 sm:grid-cols-2">
              <LabelledText label="Trained model" text={trained} />
              <LabelledText label="This export" text={exported} />
            </div>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

const LabelledText = ({ label, text }: { label: string; text: string }) => (
  <figure className="flex min-w-0 flex-col gap-0.5">
    <figcaption className="text-xs text-second">{label}</figcaption>
    <pre className="rounded border border-line bg-bg p-2 font-mono text-xs break-words whitespace-pre-wrap">
      {text === '' ? '(nothing)' : <Visible text={text} />}
    </pre>
  </figure>
)
