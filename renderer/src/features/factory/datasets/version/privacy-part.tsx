import type { Dataset } from '#contracts/entities/dataset.ts'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'

/** What the gate replaced in this version, and what a second scanner still found. */
export function PrivacyPart({ dataset }: { dataset: Dataset }) {
  const { privacy, options } = dataset
  return (
    <Section
      title="Privacy"
      note={
        <>
          Checked under the privacy policy at build time. <TextLink href="/settings/privacy">Current policy</TextLink>
        </>
      }
    >
      {options.privacyOff === undefined ? null : (
        <p className="border-l-4 border-warn pl-3 text-sm">
          Personal data was kept. Reason: “{options.privacyOff}”. Secrets were still redacted.
        </p>
      )}
      {privacy === null ? (
        <p className="text-sm text-second">Not measured</p>
      ) : (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(16rem,1fr))] gap-x-8 gap-y-5 text-sm">
          <Facts
            title="Records"
            facts={[
              ['scanned', formatCount(privacy.records)],
              [
                'with findings',
                `${formatCount(privacy.recordsWithFindings)} (${formatPercent(privacy.records > 0 ? privacy.recordsWithFindings / privacy.records : null)})`,
              ],
              ['findings below the confidence threshold', formatCount(privacy.belowThreshold)],
              ['texts replaced because scanning timed out', formatCount(privacy.unscanned)],
            ]}
          />
          <Facts title="Findings by type" facts={sorted(privacy.findingsByType)} none="No findings." />
          <Facts title="Actions" facts={sorted(privacy.actions)} none="None needed." />
          <div className="flex flex-col gap-1">
            <h3 className="font-semibold">Second scan of the written rows</h3>
            {privacy.survivors === null ? (
              <p className="text-second">Not measured</p>
            ) : (
              <>
                <p>
                  <b className={privacy.survivors.findings > 0 ? 'text-warn' : 'text-ok'}>
                    {plural(privacy.survivors.findings, 'finding')}
                  </b>{' '}
                  by {privacy.survivors.scanner}
                </p>
                <List facts={sorted(privacy.survivors.byType)} />
                {privacy.survivors.notCovered !== undefined && (
                  <p className="text-second">This scan does not look for: {privacy.survivors.notCovered.join('; ')}.</p>
                )}
              </>
            )}
          </div>
          <Facts
            title="Canaries"
            facts={[
              ['added', formatCount(options.canaries)],
              ['found by the second scan', privacy.survivors === null ? 'not measured' : formatCount(privacy.survivors.canaries)],
            ]}
          />
        </div>
      )}
    </Section>
  )
}

type FactList = [name: string, value: string][]

const sorted = (counts: Record<string, number>): FactList =>
  Object.entries(counts)
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => [name.replaceAll('_', ' '), formatCount(count)])

const Facts = ({ title, facts, none }: { title: string; facts: FactList; none?: string }) => (
  <div className="flex flex-col gap-1">
    <h3 className="font-semibold">{title}</h3>
    {facts.length === 0 ? <p className="text-second">{none}</p> : <List facts={facts} />}
  </div>
)

const List = ({ facts }: { facts: FactList }) => (
  <dl className="flex flex-col">
    {facts.map(([name, value]) => (
      <div key={name} className="flex justify-between gap-4">
        <dt className="text-second">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
