import { useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useEnvironments } from '#renderer/api/environments.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { ArenaTabs } from '../tabs.tsx'
import { ServerPart } from './server-part.tsx'
import type { Started } from './started.ts'
import { StartForm } from './start-form.tsx'
import { Snippets } from './snippets.tsx'

/** `/arena/environments`: servers for the trainers of others, their sessions, and the lines to use them. */
export default function EnvironmentsPage() {
  const { data, error, refetch } = useEnvironments()
  const [isOpen, open] = useState(false)
  const [started, setStarted] = useState<Started[]>([])
  const offline = useOfflineReason()
  const items = data?.items ?? []
  const [first] = items
  const tokenOf = (id: string) => started.find((one) => one.id === id)?.token ?? null
  return (
    <Page
      title="Environments"
      summary="Servers that give other people's trainers and agents a shell in a sandbox, over the OpenEnv protocol, with a reward at the end."
      tabs={<ArenaTabs current="environments" />}
    >
      {error ? <ErrorState title="Couldn't load the servers" error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? (
        <Loading label="Loading the servers">
          <Skeleton className="h-24 w-full" />
        </Loading>
      ) : null}
      {data && items.length === 0 && !isOpen ? (
        <EmptyState title="No server is running">
          <p>
            Start one, and a trainer such as TRL, verifiers, ART or a Gymnasium script can reset it, run commands and read the reward. It
            listens on this machine only.
          </p>
        </EmptyState>
      ) : null}
      <div>
        {isOpen ? null : (
          <Button look="primary" reason={offline} onClick={() => open(true)}>
            Start a server
          </Button>
        )}
      </div>
      {isOpen ? (
        <StartForm
          onClose={() => open(false)}
          onStarted={(one) => {
            setStarted((before) => [...before, one])
            open(false)
          }}
        />
      ) : null}
      {items.map((environment) => (
        <ServerPart key={environment.id} environment={environment} token={tokenOf(environment.id)} />
      ))}
      <Section title="Use it from your own trainer" note="Those for TRL, ART and Gymnasium are run by our tests.">
        <Snippets address={first?.url ?? 'http://127.0.0.1:8000'} token={first?.needsToken ? (tokenOf(first.id) ?? 'TOKEN') : null} />
      </Section>
    </Page>
  )
}
