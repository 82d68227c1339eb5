import { useSystemInfo } from '#renderer/api/system.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Section } from '#renderer/ui/page.tsx'

export function ApiSection() {
  const info = useSystemInfo()
  return (
    <Section title="Scripts and tools" note="Everything in the app is also available through the API and the command line">
      <Fetched query={info} what="data directory" bars={['h-24 w-full']}>
        {({ dataDir }) => (
          <>
            <p className="text-sm text-second">
              API calls need the data directory's token. It is stored in a file that only you can read, and is never shown here:
            </p>
            <CodeBlock label="token file" text={`${dataDir}/token`} />
            <CodeBlock
              label="example call"
              text={`curl -H "Authorization: Bearer $(cat '${dataDir}/token')" ${location.origin}/api/stats`}
              wrap
            />
          </>
        )}
      </Fetched>
      <p className="text-sm">
        <a href="/docs" target="_blank" rel="noreferrer" className="rounded-sm text-accent underline underline-offset-2">
          API reference
        </a>{' '}
        <span className="text-second">·</span>{' '}
        <a href="/api/openapi.json" target="_blank" rel="noreferrer" className="rounded-sm text-accent underline underline-offset-2">
          OpenAPI document
        </a>
      </p>
    </Section>
  )
}
