import { useState } from 'react'
import type { EnvironmentSpec } from '#contracts/entities/environment.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironmentActions } from '#renderer/api/environments.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Choices } from '#renderer/ui/choices.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { MESSAGE_FORMS } from '../message-forms.ts'
import { REWARD_WORDS } from './words.ts'

/** A started server; its token is shown only once. */
export interface Started {
  id: string
  token: string
}

const MAX_SESSIONS = 1024
const REWARDS = [
  { value: 'fraction', label: REWARD_WORDS.fraction, meaning: 'The share of the checks that pass.' },
  { value: 'shell-v1', label: REWARD_WORDS['shell-v1'], meaning: 'As in rollouts: less for long episodes and non-zero exit codes.' },
] as const

/** The form for a new server. It has the common options; the command line has all. */
export function StartForm({ onClose, onStarted }: { onClose: () => void; onStarted: (started: Started) => void }) {
  const [form, setForm] = useState<EnvironmentSpec['form']>('terminal')
  const [reward, setReward] = useState<EnvironmentSpec['reward']>('fraction')
  const [tasks, setTasks] = useState('')
  const [sessions, setSessions] = useState('64')
  const { start } = useEnvironmentActions()
  const offline = useOfflineReason()
  const maxSessions = Number(sessions)
  const isSessionsInvalid = !(Number.isInteger(maxSessions) && maxSessions >= 1 && maxSessions <= MAX_SESSIONS)
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
      <div className="flex flex-wrap items-start gap-x-10 gap-y-4 pb-2">
        <Choices label="Message format" value={form} onChange={setForm} options={MESSAGE_FORMS} />
        <Choices label="Reward" value={reward} onChange={setReward} options={REWARDS} />
      </div>
      <TextRow
        label="Tasks"
        hint="Optional. A split of shell tasks, or the absolute path of a JSON lines file. If empty, each reset must send its own set-up and checks."
        value={tasks}
        placeholder="starter"
        mono
        onChange={setTasks}
      />
      <NumberRow
        label="Maximum sessions"
        hint="At the same time. A trainer needs one for each generation of a batch. Sandboxes beyond the limit in Settings → Sandboxes wait in a queue."
        error={isSessionsInvalid ? `Enter a whole number from 1 to ${MAX_SESSIONS}.` : undefined}
        value={sessions}
        placeholder="64"
        onChange={setSessions}
      />
      <div className="flex gap-2 py-3">
        <Button
          type="submit"
          look="primary"
          busy={start.isPending}
          reason={offline ?? (isSessionsInvalid ? 'Correct the number of sessions first.' : undefined)}
        >
          Start server
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
