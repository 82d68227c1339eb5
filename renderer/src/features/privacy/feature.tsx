import { ScanSearch, ShieldCheck, SlidersHorizontal } from 'lucide-react'
import { lazy } from 'react'
import { useLocation } from 'wouter'
import { PrivacyScanned } from '#contracts/entities/privacy.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { privacyMessages, usePrivacyScan } from '#renderer/api/privacy.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { listed, wordsFor } from '#renderer/app/job-words.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'

const PrivacyPage = lazy(() => import('./page.tsx'))

function useCommands(): readonly Command[] {
  const [, go] = useLocation()
  const scan = usePrivacyScan()
  const offline = useOfflineReason()
  return [
    {
      id: 'privacy-scan',
      label: 'Scan for secrets and personal data',
      icon: ScanSearch,
      order: 50,
      off: offline,
      run: () => {
        go('/privacy')
        void scan.mutateAsync(false).catch(() => undefined) // the error has its own toast
      },
    },
    {
      id: 'privacy-rules',
      label: 'Privacy: what is detected and replaced',
      icon: SlidersHorizontal,
      order: 60,
      href: '/settings/privacy',
    },
  ]
}

export const privacy = {
  sections: [
    { group: 'watch', path: '/privacy', label: 'Privacy', icon: ShieldCheck, words: 'secrets personal data findings scan redact' },
  ],
  pages: [{ path: '/privacy', page: () => <PrivacyPage /> }],
  messages: [privacyMessages],
  useCommands,
  jobs: [
    {
      kind: 'privacy-scan',
      name: 'Privacy scan',
      outcome: wordsFor(PrivacyScanned, ({ scanned, failed }) => ({
        sentence: listed(`${plural(scanned, 'session')} scanned`, failed > 0 && `${formatCount(failed)} could not be read`),
        link: { href: '/privacy', label: 'Findings' },
      })),
    },
  ],
  settings: [
    {
      id: 'privacy',
      label: 'Privacy',
      words: 'secrets personal data types redact replace strategy threshold confidence rules allowed differential budget gate',
      order: 30,
      Body: lazy(() => import('./settings/page.tsx')),
    },
  ],
} satisfies Feature
