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

/** The terminal of a session. Read-only until the user takes over; then the keys of this window go to the shell. */
export function LiveTerminal({ sandbox, terminal }: { sandbox: Sandbox; terminal: SandboxTerminal }) {
  const { session, takenOverBy, columns, rows } = terminal
  const stream = useRef<ByteStream | null>(null)
  const [isConnected, setConnected] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const connect = useCallback<Parameters<typeof Terminal>[0]['connect']>(
    (screen) => {
      const newStream = openStream({
        kind: sandboxSession,
        id: `${sandbox.id}/${session}/${WINDOW}`,
        onBytes: (bytes) => screen.write(bytes),
        onGap: ({ from, to }) => screen.gap(to - from),
        onFlow: setConnected,
        onEnd: ({ error }) => setFailure(error?.message ?? null),
      })
      stream.current = newStream
      return () => newStream.close()
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
      onKeys={isMine && isConnected ? type : null}
      size={isMine ? null : { columns, rows }}
      onSize={(size) => stream.current?.resize(size)}
    >
      <Writer id={sandbox.id} terminal={terminal} />
      {failure ? <span className="text-bad">{failure}</span> : isConnected ? null : <span className="text-second">Connecting …</span>}
    </Terminal>
  )
}

/** Shows who is typing, and a switch to take over. */
function Writer({ id, terminal: { session, isTerminal, takenOverBy } }: { id: string; terminal: SandboxTerminal }) {
  const offline = useOfflineReason()
  const takeOver = useTakeOver(id)
  const handBack = useHandBack(id)
  if (!isTerminal) return <span className="text-second">This session has pipes instead of a terminal, so it is read-only.</span>
  const isMine = takenOverBy === WINDOW
  const isTakenByOther = takenOverBy !== null && !isMine
  const words = takeOver.isPending
    ? 'Waiting for the running command …'
    : isMine
      ? 'You are typing. Commands wait until you hand back.'
      : isTakenByOther
        ? 'Another window is typing.'
        : 'Read-only. Run commands below, or take over to type.'
  return (
    <>
      <span className="flex items-center gap-2">
        <Switch
          label="Take over"
          checked={takenOverBy !== null || takeOver.isPending}
          disabled={offline !== null || takeOver.isPending || handBack.isPending}
          onChange={(isOn) => (isOn ? takeOver : handBack).mutate(session)}
        />
        <span aria-hidden className="font-semibold">
          Take over
        </span>
      </span>
      <span role="status" className="text-second">
        {words}
      </span>
      {isTakenByOther ? (
        <Button size="small" reason={offline} busy={takeOver.isPending} onClick={() => takeOver.mutate(session)}>
          Type here
        </Button>
      ) : null}
    </>
  )
}
