import { usePrivacy } from '#renderer/api/privacy.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { secretsOf, type Secrets } from './sentences.ts'
import { Step } from './step.tsx'

/** Secrets that the privacy scan found in what was imported, by type. */
export function SecretsStep({ number }: { number: number }) {
  const privacy = usePrivacy()
  const isDone = privacy.data !== undefined && privacy.data.scanned > 0 && privacy.data.outstanding === 0
  return (
    <Step number={number} title="Secrets found" done={isDone}>
      <p className="text-sm text-second">
        Imported sessions are scanned on this machine for passwords, keys and personal data. Whatever is found is replaced in everything you
        export.
      </p>
      <Fetched query={privacy} what="privacy scan" bars={['h-4 w-72']}>
        {(status) => <Findings {...secretsOf(status)} />}
      </Fetched>
      <div>
        <TextLink href="/privacy" className="text-sm">
          Review findings
        </TextLink>
      </div>
    </Step>
  )
}

const Findings = ({ sentence, byType }: Secrets) => (
  <>
    <p className="text-sm">{sentence ?? 'Not scanned yet.'}</p>
    {byType.length > 0 ? (
      <ul aria-label="Secrets by type" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {byType.map(({ type, label, count }) => (
          <li key={type}>
            <TextLink href={`/privacy?type=${type}`}>
              {label}: {formatCount(count)}
            </TextLink>
          </li>
        ))}
      </ul>
    ) : null}
  </>
)
