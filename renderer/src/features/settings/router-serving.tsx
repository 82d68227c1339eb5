import { Play, Square } from 'lucide-react'
import { useLoadModel, useServings } from '#renderer/api/models.ts'
import { ServingState } from '#renderer/app/serving-state.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button } from '#renderer/ui/button.tsx'
import { SelectRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'

const IDLE = [5, 15, 30, 60, 240]
const [MIN_CONTEXT, MAX_CONTEXT, MAX_THREADS] = [512, 1_000_000, 1024]

/** How the chosen model of the registry is served on this machine. */
export function RouterServing() {
  const { settings, offline, change } = useChange()
  const { studentModel, studentAddress, servedAtStart, servedContext, servedThreads, idleMinutes } = settings.router
  const load = useLoadModel(studentModel)
  const serving = useServings().data?.items.find(({ modelId }) => modelId === studentModel)
  if (studentModel === '' || studentAddress !== '') return null
  const isUp = serving?.state === 'ready' || serving?.state === 'starting'
  const whole = (least: number, most: number) => (text: string) =>
    /^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most ? null : `A whole number from ${least} to ${most}.`
  return (
    <Section title="Serving">
      <div>
        <SwitchRow
          label="Load it when Bash Gym starts"
          hint="Only if it may be used, and if it fits into the free memory. Else the first request loads it."
          checked={servedAtStart}
          disabled={offline !== null}
          onChange={(on) => change('Start', { router: { servedAtStart: on } })}
        />
        <SelectRow
          label="Unload it"
          hint="Frees its memory while nobody asks it; the next request loads it again."
          value={String(idleMinutes)}
          disabled={offline !== null}
          options={[
            ...[...new Set([...IDLE, ...(idleMinutes > 0 ? [idleMinutes] : [])])]
              .toSorted((a, b) => a - b)
              .map((minutes) => ({ value: String(minutes), label: `after ${plural(minutes, 'minute')} without a request` })),
            { value: '0', label: 'never by itself' },
          ]}
          onChange={(next) => change('Unloading', { router: { idleMinutes: Number(next) } })}
        />
        <SavedText
          label="Context served"
          hint="Tokens that it reads and writes together; at most what the model can have. More takes more memory."
          value={String(servedContext)}
          reason={offline}
          recommended="8192"
          narrow
          read={whole(MIN_CONTEXT, MAX_CONTEXT)}
          onSave={(next) => change('Context', { router: { servedContext: Number(next) } })}
        />
        <SavedText
          label="Threads"
          hint="Of the processor. 0: all."
          value={String(servedThreads)}
          reason={offline}
          recommended="0"
          narrow
          read={whole(0, MAX_THREADS)}
          onSave={(next) => change('Threads', { router: { servedThreads: Number(next) } })}
        />
      </div>
      <ServingState id={studentModel} idleMinutes={idleMinutes} />
      <div>
        <Button icon={isUp ? Square : Play} reason={offline} busy={load.isPending} onClick={() => load.mutate(isUp ? serving.id : null)}>
          {isUp ? 'Unload now' : 'Load now'}
        </Button>
      </div>
    </Section>
  )
}
