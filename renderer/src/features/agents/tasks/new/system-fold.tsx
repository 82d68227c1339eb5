import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import { useSandboxLimits } from '#renderer/api/sandboxes.ts'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { Fold } from '#renderer/ui/fold.tsx'
import { HOST, type TaskForm } from './form.ts'

/** Chooses between the programs of this machine and the Docker images, if there are any. */
export function SystemFold({ image, set }: { image: string; set: (part: Partial<TaskForm>) => void }) {
  const { data } = useSandboxLimits()
  const images = data?.backends.flatMap((one) => (ENGINE_ABILITIES[one.name].runsImages ? one.images : [])) ?? []
  const systems = [HOST, ...new Set([...images, ...(image === HOST ? [] : [image])])]
  if (systems.length === 1) return null
  const labelOf = (one: string) => (one === HOST ? "This machine's programs (bubblewrap)" : `${one} (Docker)`)
  return (
    <Fold title="System" summary={labelOf(image)}>
      <SelectRow
        label="System"
        hint="The programs inside the sandbox of the agent and the checks. Docker works only with the shell loop, and without network."
        className="w-72"
        value={image}
        options={systems.map((one) => ({ value: one, label: labelOf(one) }))}
        onChange={(next) => set({ image: next })}
      />
    </Fold>
  )
}
