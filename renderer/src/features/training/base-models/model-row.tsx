import type { BaseModel } from '#contracts/entities/base-model.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { formatBytes, formatParameters } from '#renderer/ui/format.ts'
import { FIT, modelSentence } from './words.ts'

/** A model on this machine in one row. */
export function ModelRow({ model }: { model: BaseModel }) {
  const word = useModelWord()(model.id)
  const fit = FIT[model.fit]
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{word}</span>
        <span className="block truncate text-xs text-second">{model.problem ?? modelSentence(model)}</span>
      </span>
      <span className="w-16 shrink-0 text-right font-mono text-xs">{formatParameters(model.parameters)}</span>
      <span className="w-16 shrink-0 text-right font-mono text-xs">{formatBytes(model.bytes)}</span>
      <span className="w-24 shrink-0 text-right">
        {model.problem ? <Badge>not trainable</Badge> : <Badge tone={fit.tone}>{fit.word}</Badge>}
      </span>
    </>
  )
}
