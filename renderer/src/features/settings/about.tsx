import { lookup } from '#contracts/lookup.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#renderer/api/connection.ts'
import { useSettings } from '#renderer/api/settings.ts'
import { useSystemInfo } from '#renderer/api/system.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { formatBytes, formatInstant } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Skeleton } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** The variable that gives a value, as config.ts reads it. */
const VARIABLE: Record<string, string> = lookup({ dataDir: 'BASHGYM_HOME', port: 'BASHGYM_PORT', claudeDir: 'CLAUDE_CONFIG_DIR' })

export function AboutSection() {
  const info = useSystemInfo()
  const settings = useSettings()
  const { state, lastDataAt } = useConnection()
  return (
    <>
      <Section title="This installation">
        {info.error && !info.data ? (
          <ErrorState title="Couldn't reach the server" error={info.error} retry={() => void info.refetch()} />
        ) : null}
        {info.isPending ? <Skeleton className="h-40 w-full" /> : null}
        {info.data ? (
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
            <Line name="Version">{info.data.version}</Line>
            <Line name="Connection">
              {state}
              {lastDataAt ? (
                <>
                  , last update <RelativeTime at={lastDataAt} />
                </>
              ) : null}
            </Line>
            <Line name="Started">{formatInstant(info.data.startedAt)}</Line>
            <Line name="Process">{info.data.pid}</Line>
            <Line name="Machine">
              {info.data.os} {info.data.arch}, {info.data.cpus} cores, {formatBytes(info.data.memoryBytes)}
            </Line>
            <Line name="Node">{info.data.node}</Line>
            <Line name="Data directory" mono>
              {info.data.dataDir}
            </Line>
            <Line name="Claude Code" mono>
              {info.data.claudeDir}
            </Line>
            <Line name="Licence">MIT</Line>
          </dl>
        ) : null}
        {info.data && info.data.repaired.length > 0 ? (
          <div className="text-sm">
            <p className="font-semibold">Repaired at startup</p>
            <ul className="list-inside list-disc text-second">
              {info.data.repaired.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        ) : null}
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

const Line = ({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) => (
  <>
    <dt className="text-second">{name}</dt>
    <dd className={mono ? 'font-mono text-xs break-all' : undefined}>{children}</dd>
  </>
)
