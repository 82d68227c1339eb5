import type { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { usePrivacy } from '#renderer/api/privacy.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { PrivacyAllowed } from './allowed.tsx'
import { PrivacyBudget } from './budget.tsx'
import { PrivacyRules } from './rules.tsx'
import { PrivacyThreshold } from './threshold.tsx'
import { PrivacyTry } from './try.tsx'
import { PrivacyTypes } from './types.tsx'
import { useChange } from '#renderer/app/use-setting.ts'

export default function PrivacySection() {
  const { settings, offline, change } = useChange()
  const policy = settings.privacy
  const set = (what: string, part: Partial<PrivacyPolicy>) => change(what, { privacy: part })
  const props = { policy, offline, set }
  return (
    <>
      <Gate />
      <PrivacyTry />
      <PrivacyTypes {...props} />
      <PrivacyThreshold {...props} />
      <PrivacyRules {...props} />
      <PrivacyAllowed {...props} />
      <PrivacyBudget />
    </>
  )
}

function Gate() {
  return (
    <Section title="Privacy filter" note="Everything that leaves this app passes through it">
      <p className="max-w-[72ch] text-sm">
        The archive keeps your sessions unchanged. Anything that leaves it, such as a data set, an export or a request, goes through the
        privacy filter: it finds secrets and personal data in every text and replaces them, according to the policy on this page and{' '}
        <TextLink href="/privacy?view=decisions">your decisions</TextLink>. Secrets are always removed, whatever the policy says, unless you
        keep that particular finding or value.
      </p>
      <Fetched query={usePrivacy()} what="export paths" bars={['h-24 w-full']}>
        {({ waysOut }) =>
          waysOut.length === 0 ? null : (
            <div>
              <h3 className="text-sm font-semibold" id="export-paths">
                Export paths
              </h3>
              <ul aria-labelledby="export-paths" className="list-disc pl-5 text-sm">
                {waysOut.map(({ what }) => (
                  <li key={what}>{what}</li>
                ))}
              </ul>
            </div>
          )
        }
      </Fetched>
      <p className="text-xs text-second">Every data set records the policy it was built under.</p>
    </Section>
  )
}
