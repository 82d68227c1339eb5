import { useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironments } from '#renderer/api/environments.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { SHELL_TASK_TABS } from '../tabs.ts'
import { ServerPart } from './server-part.tsx'
import { StartForm, type Started } from './start-form.tsx'
import { Snippets } from './snippets.tsx'

/** `/shell-tasks/environments`: servers for other trainers, their sessions, and code to use them. */
export default function EnvironmentsPage() {
  const query = useEnvironments()
  const [isOpen, setOpen] = useState(false)
  const [started, setStarted] = useState<Started[]>([])
  const offline = useOfflineReason()
  const items = query.data?.items ?? []
  const [first] = items
  const tokenOf = (id: string) => started.find((one) => one.id === id)?.token ?? null
  const startButton = (
    <Button look="primary" reason={offline} onClick={() => setOpen(true)}>
      Start a server
    </Button>
  )
  return (
    <Page
      title="Environments"
      summary="Servers that give your own trainers and agents a shell in a sandbox and a reward, over the OpenEnv protocol."
      actions={items.length > 0 && !isOpen ? startButton : null}
      tabs={<TabLinks {...SHELL_TASK_TABS} current="environments" />}
    >
      <Fetched query={query} what="servers" bars={['h-24 w-full']}>
        {() =>
          items.length > 0 || isOpen ? null : (
            <EmptyState title="No server is running" action={startButton}>
              A trainer such as TRL, verifiers or ART, or a Gymnasium script, can reset an environment, run commands in it and read the
              reward. The server listens on this machine only.
            </EmptyState>
          )
        }
      </Fetched>
      {isOpen ? (
        <StartForm
          onClose={() => setOpen(false)}
          onStarted={(one) => {
            setStarted((before) => [...before, one])
            setOpen(false)
          }}
        />
      ) : null}
      {items.map((environment) => (
        <ServerPart key={environment.id} environment={environment} token={tokenOf(environment.id)} />
      ))}
      <Section title="Use it from your own trainer" note="with Python">
        <Snippets address={first?.url ?? 'http://127.0.0.1:8000'} token={(first && tokenOf(first.id)) ?? 'TOKEN'} />
      </Section>
    </Page>
  )
}
