import { useState } from 'react'
import type { EnvironmentSpec } from '#contracts/entities/environment.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironmentActs } from '#renderer/api/environments.ts'
import { Button } from '#renderer/ui/button.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import type { Started } from './started.ts'

const MOST_SESSIONS = 1024

/** What most people set; the command line has the rest. */
export function StartForm({ onClose, onStarted }: { onClose: () => void; onStarted: (started: Started) => void }) {
  const [form, setForm] = useState<EnvironmentSpec['form']>('terminal')
  const [reward, setReward] = useState<EnvironmentSpec['reward']>('fraction')
  const [tasks, setTasks] = useState('')
  const [sessions, setSessions] = useState('64')
  const { start } = useEnvironmentActs()
  const offline = useOfflineReason()
  const maxSessions = Number(sessions)
  const badSessions = !(Number.isInteger(maxSessions) && maxSessions >= 1 && maxSessions <= MOST_SESSIONS)
  const submit = () =>
    start.mutate({ form, reward, maxSessions, tasks: tasks.trim() || null }, { onSuccess: ({ id, token }) => onStarted({ id, token }) })
  return (
    <form
      aria-label="Start a server"
      className="max-w-[760px]"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="flex flex-wrap items-center gap-4 py-2 text-sm">
        <Segmented
          label="Form"
          value={form}
          onChange={setForm}
          options={[
            { id: 'terminal', label: 'Tool calls' },
            { id: 'command', label: 'Plain commands' },
          ]}
        />
        <Segmented
          label="Reward"
          value={reward}
          onChange={setReward}
          options={[
            { id: 'fraction', label: 'Share of checks' },
            { id: 'shell-v1', label: 'shell-v1' },
          ]}
        />
      </div>
      <TextRow
        label="Tasks"
        hint="Optional: a split of shell tasks, or the whole path of a file of tasks (JSON lines). Without it, a reset brings its own set-up and checks."
        value={tasks}
        placeholder="starter"
        mono
        onChange={setTasks}
      />
      <NumberRow
        label="Sessions"
        hint="At once. A trainer needs one for each generation of its batch; sandboxes beyond the limit in Settings → Arena wait for a place."
        error={badSessions ? `A whole number from 1 to ${MOST_SESSIONS}.` : undefined}
        value={sessions}
        placeholder="64"
        onChange={setSessions}
      />
      <div className="flex gap-2 py-3">
        <Button type="submit" look="primary" busy={start.isPending} reason={offline ?? (badSessions ? 'Mend what is marked.' : undefined)}>
          Start server
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
