import { useSandboxLimits } from '#renderer/api/sandboxes.ts'
import { ChoiceRow } from '#renderer/ui/form-rows.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Fold } from '../../create-fold.tsx'
import { HOST, type TaskForm } from './form.ts'

/** This machine's own programs, or an image where there is a Docker Engine that has one. */
export function SystemFold({ image, set }: { image: string; set: (part: Partial<TaskForm>) => void }) {
  const { data } = useSandboxLimits()
  const images = data?.backends.find(({ name }) => name === 'docker')?.images ?? []
  const known = [HOST, ...new Set([...images, ...(image === HOST ? [] : [image])])]
  if (known.length === 1) return null
  const labelOf = (one: string) => (one === HOST ? "This machine's programs (bubblewrap)" : `${one} (Docker)`)
  return (
    <Fold title="System" summary={labelOf(image)}>
      <ChoiceRow
        label="System"
        hint="What the agent and the checks find in their sandboxes. In Docker only the shell loop works, without network."
      >
        {(id) => (
          <Select
            id={id}
            value={image}
            options={known.map((one) => ({ value: one, label: labelOf(one) }))}
            onChange={(next) => set({ image: next })}
            className="w-72"
          />
        )}
      </ChoiceRow>
    </Fold>
  )
}
