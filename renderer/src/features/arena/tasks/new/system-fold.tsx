import { useSandboxLimits } from '#renderer/api/sandboxes.ts'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { Fold } from '../../create-fold.tsx'
import { HOST, type TaskForm } from './form.ts'

/** This machine's own programs, or a Docker image if there are any. */
export function SystemFold({ image, set }: { image: string; set: (part: Partial<TaskForm>) => void }) {
  const { data } = useSandboxLimits()
  const images = data?.backends.find(({ name }) => name === 'docker')?.images ?? []
  const known = [HOST, ...new Set([...images, ...(image === HOST ? [] : [image])])]
  if (known.length === 1) return null
  const labelOf = (one: string) => (one === HOST ? "This machine's programs (bubblewrap)" : `${one} (Docker)`)
  return (
    <Fold title="System" summary={labelOf(image)}>
      <SelectRow
        label="System"
        hint="The programs that the agent and the checks find in their sandboxes. In Docker only the shell loop works, without network."
        className="w-72"
        value={image}
        options={known.map((one) => ({ value: one, label: labelOf(one) }))}
        onChange={(next) => set({ image: next })}
      />
    </Fold>
  )
}
