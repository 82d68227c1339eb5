import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { lookup } from '#contracts/lookup.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Page } from '#renderer/ui/page.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { ClientTab } from './client.tsx'
import { EventsTab } from './events.tsx'
import { InstalledTab } from './installed.tsx'
import { RulesTab } from './rules.tsx'
import { TestTab } from './test-box.tsx'
import { GUARD_TABS } from './words.ts'

const TABS = lookup<() => ReactNode>({
  rules: () => <RulesTab />,
  client: () => <ClientTab />,
  installed: () => <InstalledTab />,
  test: () => <TestTab />,
})

/** `/guardrails`, with `/rules`, `/client`, `/installed` and `/test`. */
export default function GuardrailsPage({ tab = 'events' }: { tab: string | undefined }) {
  const [, go] = useLocation()
  useKeys({ testBox: () => go('/guardrails/test') })
  return (
    <Page
      title="Guardrails"
      summary="What was warned about, blocked or replaced, and by which rule. Rules know some wordings only: what none matches may still be harmful"
      tabs={<TabLinks {...GUARD_TABS} current={tab} />}
    >
      {TABS[tab]?.() ?? <EventsTab />}
    </Page>
  )
}
