import { RefreshCw } from 'lucide-react'
import { useDoctor } from '#renderer/api/system.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Section } from '#renderer/ui/page.tsx'

const TONE: Record<'found' | 'missing' | 'warning' | 'problem', Tone> = { found: 'ok', missing: 'neutral', warning: 'warn', problem: 'bad' }

export function DoctorSection() {
  const doctor = useDoctor()
  return (
    <Section
      title="System check"
      actions={
        <Button size="small" icon={RefreshCw} busy={doctor.isFetching} onClick={() => void doctor.refetch()}>
          Check again
        </Button>
      }
    >
      <Fetched query={doctor} what="system check" bars={['h-12 w-full', 'h-12 w-full', 'h-12 w-full']}>
        {({ checks }) => (
          <ul>
            {checks.map((check) => (
              <li key={check.name} className="flex items-start gap-4 border-b border-line py-2.5 text-sm last:border-b-0">
                <span className="w-20 shrink-0">
                  <Badge tone={TONE[check.state]}>{check.state}</Badge>
                </span>
                <div className="min-w-0 flex-1">
                  <p>
                    <b>{check.name}</b> {check.version ? <span className="font-mono text-xs">{check.version}</span> : null}{' '}
                    <span className="text-second">needed for {check.neededFor}</span>
                  </p>
                  {check.detail ? <p className="text-xs break-words text-second">{check.detail}</p> : null}
                  {check.fix ? (
                    <p className="text-xs break-words">
                      <CodeText text={check.fix} />
                    </p>
                  ) : null}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Fetched>
    </Section>
  )
}
