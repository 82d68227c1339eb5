import { useSettings } from '#renderer/api/settings.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Leads back to the first-run guide until it is finished. */
export function BackToSetUp() {
  if (useSettings().data?.settings.onboarding.done !== false) return null
  return (
    <p className="text-sm">
      <TextLink href="/">Back to set-up</TextLink>
    </p>
  )
}
