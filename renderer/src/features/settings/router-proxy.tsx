import { useState } from 'react'
import { GIVEN_UP } from '#contracts/router-words.ts'
import type { RouterProxy } from '#contracts/entities/routing.ts'
import { useRouting } from '#renderer/api/routing.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { NumberRow, SwitchRow } from '#renderer/ui/form-rows.tsx'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { ClientChangeBlock } from '#renderer/app/client-change.tsx'

const GivenUp = () => (
  <ul className="list-disc pl-5">
    {GIVEN_UP.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

/** The way through which requests pass: for single terminals, or for all sessions. */
export const ProxySection = () => (
  <Fetched query={useRouting()} what="proxy" bars={['h-24 w-full']}>
    {({ proxy }) => <Proxy proxy={proxy} />}
  </Fetched>
)

function Proxy({ proxy }: { proxy: RouterProxy }) {
  const { settings, offline, change } = useChange()
  const [asking, setAsking] = useState(false)
  const { proxyPort } = settings.router
  return (
    <Section title="Proxy" note="Passes requests on as they are: the same bytes, your own key, and figures beside it">
      <div>
        <SwitchRow
          label="Pass requests through"
          hint={`To ${proxy.upstream}`}
          checked={proxy.isOn}
          disabled={offline !== null}
          onChange={(on) => (on ? setAsking(true) : change('Proxy', { router: { proxy: false } }))}
        />
        <Port
          key={proxyPort}
          port={proxyPort}
          off={offline !== null}
          onChange={(port) => change('Port', { router: { proxyPort: port } })}
        />
      </div>
      {proxy.problem === null && proxy.unchecked.length === 0 ? null : (
        <ul>
          {proxy.problem === null ? null : <NoteLine level="warning" message={proxy.problem} />}
          {proxy.unchecked.map(({ session }) => (
            <NoteLine
              key={session}
              level="warning"
              message={`Session ${session} is in auto mode and lost the check of its commands, so they are refused. Restart it with claude --continue; until then shift+Tab leaves auto mode.`}
            />
          ))}
        </ul>
      )}
      {proxy.address === null ? null : (
        <>
          <p className="text-sm">In a terminal whose Claude Code is to pass through:</p>
          <CodeBlock text={`export ANTHROPIC_BASE_URL=${proxy.address}`} label="Line that sets the address" />
          <p className="text-sm">To undo it there:</p>
          <CodeBlock text="unset ANTHROPIC_BASE_URL" label="Line that undoes it" />
        </>
      )}
      {proxy.isOn ? (
        <ClientChangeBlock
          which="client"
          label="Or for all new sessions of Claude Code, by its own settings."
          action="Send all sessions through"
          question={{ title: 'Send all sessions of Claude Code through Bash Gym?', body: <GivenUp /> }}
        />
      ) : null}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Pass requests through Bash Gym?"
        action="Switch on"
        danger={false}
        onConfirm={() => change('Proxy', { router: { proxy: true } })}
      >
        <p>Nothing changes until you set the address in a terminal. There, Claude Code gives this up:</p>
        <GivenUp />
      </Confirm>
    </Section>
  )
}

function Port({ port, off, onChange }: { port: number; off: boolean; onChange: (port: number) => void }) {
  const [text, setText] = useState(String(port))
  const typed = /^\d{4,5}$/.test(text) ? Number(text) : 0
  const isValid = typed >= 1024 && typed <= 65_535
  return (
    <div className="flex items-end gap-2">
      <div className="flex-1">
        <NumberRow
          label="Port"
          hint="On this machine only"
          value={text}
          placeholder={String(port)}
          onChange={setText}
          {...(isValid ? {} : { error: 'From 1024 to 65535.' })}
        />
      </div>
      {typed !== port && isValid ? (
        <Button className="mb-3" reason={off ? 'Not connected.' : null} onClick={() => onChange(typed)}>
          Save port
        </Button>
      ) : null}
    </div>
  )
}
