import { useCallback, useRef, useState } from 'react'
import type { Sandbox, SandboxTerminal } from '#contracts/entities/sandbox.ts'
import { sandboxSession } from '#contracts/streams.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useHandBack, useTakeOver, WINDOW } from '#renderer/api/sandboxes.ts'
import type { ByteStream } from '#renderer/api/stream-client.ts'
import { openStream } from '#renderer/api/streams.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { Terminal } from '#renderer/ui/terminal/terminal.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** The terminal of a session. Read-only until it is taken over; then keys of this window go to the shell. */
export function LiveTerminal({ sandbox, terminal }: { sandbox: Sandbox; terminal: SandboxTerminal }) {
  const { session, takenOverBy, columns, rows } = terminal
  const stream = useRef<ByteStream | null>(null)
  const [flows, setFlows] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const connect = useCallback<Parameters<typeof Terminal>[0]['connect']>(
    (screen) => {
      const opened = openStream({
        kind: sandboxSession,
        id: `${sandbox.id}/${session}/${WINDOW}`,
        onBytes: (bytes) => screen.write(bytes),
        onGap: ({ from, to }) => screen.gap(to - from),
        onFlow: setFlows,
        onEnd: ({ error }) => setFailure(error?.message ?? null),
      })
      stream.current = opened
      return () => opened.close()
    },
    [sandbox.id, session],
  )
  const isMine = takenOverBy === WINDOW
  const type = useCallback((keys: Uint8Array) => {
    stream.current?.write(keys).catch((error: unknown) => toast.error("Couldn't type", (error as Error).message))
  }, [])
  return (
    <Terminal
      label={`Terminal of session ${session}`}
      connect={connect}
      onKeys={isMine && flows ? type : null}
      size={isMine ? null : { columns, rows }}
      onSize={(size) => stream.current?.resize(size)}
    >
      <Writer id={sandbox.id} terminal={terminal} />
      {failure ? <span className="text-bad">{failure}</span> : flows ? null : <span className="text-second">Connecting …</span>}
    </Terminal>
  )
}

/** Who is typing, and the switch that takes over. */
function Writer({ id, terminal: { session, isTerminal, takenOverBy } }: { id: string; terminal: SandboxTerminal }) {
  const offline = useOfflineReason()
  const take = useTakeOver(id)
  const back = useHandBack(id)
  if (!isTerminal) return <span className="text-second">This session has pipes instead of a terminal, so it is read-only.</span>
  const isMine = takenOverBy === WINDOW
  const isOther = takenOverBy !== null && !isMine
  const words = take.isPending
    ? 'Waiting for the running command …'
    : isMine
      ? 'You are typing. Commands wait until you hand back.'
      : isOther
        ? 'Another window is typing.'
        : 'Read only: commands run here, keys do nothing.'
  return (
    <>
      <span className="flex items-center gap-2">
        <Switch
          label="Take over"
          checked={takenOverBy !== null || take.isPending}
          disabled={offline !== null || take.isPending || back.isPending}
          onChange={(isOn) => (isOn ? take : back).mutate(session)}
        />
        <span aria-hidden className="font-semibold">
          Take over
        </span>
      </span>
      <span role="status" className="text-second">
        {words}
      </span>
      {isOther ? (
        <Button size="small" reason={offline} busy={take.isPending} onClick={() => take.mutate(session)}>
          Type here
        </Button>
      ) : null}
    </>
  )
}
