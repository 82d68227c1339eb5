import { useCallback, useState } from 'react'
import { readRecording } from '#renderer/api/sandboxes.ts'
import { Terminal } from '#renderer/ui/terminal/terminal.tsx'

const SIZE = { columns: 120, rows: 40 }
const STATES = {
  loading: 'Loading the recording …',
  shown: 'Recording. The session has ended.',
  none: 'Nothing of this session was recorded.',
  failed: "Couldn't load the recording.",
}

/** The recording of a session that has ended. */
export function RecordedTerminal({ id, session }: { id: string; session: string }) {
  const [state, setState] = useState<keyof typeof STATES>('loading')
  const connect = useCallback<Parameters<typeof Terminal>[0]['connect']>(
    (screen) => {
      const stop = new AbortController()
      const encoder = new TextEncoder()
      const fill = async () => {
        const parts = await readRecording(id, session, stop.signal)
        for (const part of parts ?? []) {
          if (stop.signal.aborted) return
          await screen.write(encoder.encode(part))
        }
        setState(parts ? 'shown' : 'none')
      }
      fill().catch(() => stop.signal.aborted || setState('failed'))
      return () => stop.abort()
    },
    [id, session],
  )
  return (
    <div className="rounded border border-line bg-panel">
      <Terminal label="Recorded terminal" connect={connect} onKeys={null} size={SIZE}>
        <span role="status" className="text-second">
          {STATES[state]}
        </span>
      </Terminal>
    </div>
  )
}
