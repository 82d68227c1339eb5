import { lookup } from '#contracts/lookup.ts'
import { useConnection } from '#renderer/api/connection.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { useSystemInfo } from '#renderer/api/system.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatBytes, formatInstant } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** The environment variable that sets each value. */
const VARIABLE: Record<string, string> = lookup({ dataDir: 'BASHGYM_HOME', port: 'BASHGYM_PORT', claudeDir: 'CLAUDE_CONFIG_DIR' })

export function AboutSection() {
  const info = useSystemInfo()
  const settings = useSettings()
  const { state, lastDataAt } = useConnection()
  return (
    <>
      <Section title="This installation">
        <Fetched query={info} what="server details" bars={['h-40 w-full']}>
          {(system) => (
            <>
              <Facts>
                <Fact name="Version">{system.version}</Fact>
                <Fact name="Connection">
                  {state}
                  {lastDataAt ? (
                    <>
                      , last update <RelativeTime at={lastDataAt} />
                    </>
                  ) : null}
                </Fact>
                <Fact name="Started">{formatInstant(system.startedAt)}</Fact>
                <Fact name="Process">{system.pid}</Fact>
                <Fact name="Machine">
                  {system.os} {system.arch}, {system.cpus} cores, {formatBytes(system.memoryBytes)}
                </Fact>
                <Fact name="Node">{system.node}</Fact>
                <Fact name="Data directory" mono>
                  {system.dataDir}
                </Fact>
                <Fact name="Claude Code" mono>
                  {system.claudeDir}
                </Fact>
                <Fact name="Licence">MIT</Fact>
              </Facts>
              {system.repaired.length > 0 ? (
                <div className="text-sm">
                  <p className="font-semibold">Repaired at startup</p>
                  <ul className="list-inside list-disc text-second">
                    {system.repaired.map((sentence) => (
                      <li key={sentence}>{sentence}</li>
                    ))}
                  </ul>
                </div>
              ) : null}
            </>
          )}
        </Fetched>
      </Section>
      {settings.data ? (
        <Section title="Environment" note={`Settings are stored in ${settings.data.storedIn}`}>
          <Table
            caption="Paths, ports and where each value comes from"
            rows={settings.data.environment}
            keyOf={({ name }) => name}
            columns={[
              { id: 'name', label: 'Name', cell: ({ name }) => name },
              { id: 'value', label: 'Value', cell: ({ value }) => <span className="font-mono text-xs break-all">{value}</span> },
              {
                id: 'origin',
                label: 'Origin',
                cell: ({ name, origin }) =>
                  origin === 'environment' ? (
                    <Badge>{VARIABLE[name] ? `${VARIABLE[name]}, read-only here` : 'environment, read-only here'}</Badge>
                  ) : origin === 'file' ? (
                    <Badge>.env, read-only here</Badge>
                  ) : (
                    origin
                  ),
              },
            ]}
          />
        </Section>
      ) : null}
    </>
  )
}
