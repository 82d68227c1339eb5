import { Button } from '#renderer/ui/button.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useModels } from '../queries.ts'

export function FirstModel({ onArchived }: { onArchived: () => void }) {
  const archived = useModels({ archived: 'true' }).data?.pages[0]?.total ?? 0
  if (archived > 0)
    return (
      <EmptyState title="Every model is archived" action={<Button onClick={onArchived}>Show archived models</Button>}>
        Archived models keep their files and figures; they are only hidden from this list.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No models yet"
      ghost={<Ghost />}
      action={
        <ButtonLink href="/training/new" look="primary">
          New run
        </ButtonLink>
      }
    >
      Each completed run adds its model here, with its training data, results and exports for Ollama, llama.cpp and Transformers. You can
      try it next to its base model and compare it with others.
    </EmptyState>
  )
}

/** A drawing of data that becomes a model. */
const Ghost = () => (
  <svg width={260} height={80} viewBox="0 0 260 80">
    {[12, 34, 56].map((y) => (
      <g key={y}>
        <rect x={4} y={y} width={44} height={14} rx={4} fill="none" stroke="var(--edge)" />
        <path d={`M48 ${y + 7}C70 ${y + 7} 66 41 88 41`} fill="none" stroke="var(--edge)" />
      </g>
    ))}
    <rect x={88} y={32} width={48} height={18} rx={4} fill="none" stroke="var(--edge)" />
    <path d="M136 41H176" stroke="var(--edge)" />
    <rect x={176} y={26} width={72} height={30} rx={6} fill="none" stroke="var(--series-1)" strokeWidth={2} />
  </svg>
)
