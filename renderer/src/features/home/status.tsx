import { RefreshCw } from 'lucide-react'
import { LOOP_LABELS, stageCount } from '#contracts/loop-words.ts'
import { useLoop } from '#renderer/api/loop.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { formatCompact } from '#renderer/ui/format.ts'

/** The loop in one line: the sessions of each measured stage, and the next step. Hidden before the first session. */
export function LoopItem() {
  const loop = useLoop().data
  if (!loop || (loop.stages[0]?.sessions ?? 0) === 0) return null
  const { stages, next } = loop
  return (
    <StatusPart href="/" icon={RefreshCw} grow>
      <span title={stages.map((stage) => `${LOOP_LABELS[stage.id]}: ${stageCount(stage)}`).join(', ')}>
        <span className="sr-only">Loop: </span>
        {stages.flatMap(({ sessions }) => (sessions === null ? [] : [formatCompact(sessions)])).join(' → ')}
      </span>
      {next === null ? null : ` · ${next.action}`}
    </StatusPart>
  )
}
