import { Button } from '#renderer/ui/button.tsx'
import { usePresets, useSavePreset } from '../queries.ts'
import type { draftOf } from './draft.ts'

export function OwnPresets({ onLoad }: { onLoad: (request: Parameters<typeof draftOf>[0]) => void }) {
  const presets = usePresets().data?.items ?? []
  const { remove } = useSavePreset()
  if (presets.length === 0) return null
  return (
    <div role="group" aria-label="Your presets" className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-xs text-second">Your presets</span>
      {presets.map(({ name, request }) => (
        <span key={name} className="flex items-center">
          <Button size="small" className="rounded-r-none!" onClick={() => onLoad(request)}>
            {name}
          </Button>
          <Button
            size="small"
            className="rounded-l-none! border-l-0! px-1.5!"
            aria-label={`Delete preset ${name}`}
            onClick={() => remove.mutate(name)}
          >
            ×
          </Button>
        </span>
      ))}
    </div>
  )
}
