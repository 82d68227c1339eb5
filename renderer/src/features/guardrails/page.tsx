import { useLocation } from 'wouter'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Page } from '#renderer/ui/page.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { EventsTab } from './events.tsx'
import { InstalledTab } from './installed.tsx'
import { RulesTab } from './rules.tsx'
import { TestTab } from './test-box.tsx'
import { GUARD_TABS } from './words.ts'

/** `/guardrails`, with `/rules`, `/installed` and `/test`. */
export default function GuardrailsPage({ tab = 'events' }: { tab: string | undefined }) {
  const [, go] = useLocation()
  useKeys({ testBox: () => go('/guardrails/test') })
  return (
    <Page
      title="Guardrails"
      summary="What was warned about, blocked or replaced, and by which rule. Rules know some wordings only: what none matches may still be harmful"
      tabs={<TabLinks {...GUARD_TABS} current={tab} />}
    >
      {tab === 'rules' ? <RulesTab /> : tab === 'installed' ? <InstalledTab /> : tab === 'test' ? <TestTab /> : <EventsTab />}
    </Page>
  )
}
