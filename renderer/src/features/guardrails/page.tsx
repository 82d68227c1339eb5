import { useLocation } from 'wouter'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Page } from '#renderer/ui/page.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { ClientTab } from './client.tsx'
import { EventsTab } from './events.tsx'
import { RulesTab } from './rules.tsx'
import { TestTab } from './test-box.tsx'
import { GUARD_TABS } from './words.ts'

/** `/guardrails`, `/guardrails/rules`, `/guardrails/client` and `/guardrails/test`. */
export default function GuardrailsPage({ tab = 'events' }: { tab: string | undefined }) {
  const [, go] = useLocation()
  useKeys({ testBox: () => go('/guardrails/test') })
  return (
    <Page
      title="Guardrails"
      summary="What was warned about, blocked or replaced, and by which rule. Rules know some wordings only: what none matches may still be harmful"
      tabs={<TabLinks {...GUARD_TABS} current={tab} />}
    >
      {tab === 'rules' ? <RulesTab /> : tab === 'client' ? <ClientTab /> : tab === 'test' ? <TestTab /> : <EventsTab />}
    </Page>
  )
}
