import { Contrast, PlugZap, RefreshCw, Server, Settings, ShieldCheck, Stethoscope } from 'lucide-react'
import { lazy } from 'react'
import { captureMessages } from '#renderer/api/capture.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { providerMessages } from '#renderer/api/providers.ts'
import { routerMessages } from '#renderer/api/router.ts'
import { settingsMessages, usePatchSettings } from '#renderer/api/settings.ts'
import { signInMessages } from '#renderer/api/sign-ins.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { isDark, useTheme } from '#renderer/stores/theme.ts'
import { SETTINGS_SECTIONS } from './sections.ts'
import { ArchiveItem, CaptureItem, DiskItem } from './status.tsx'

const SettingsPage = lazy(() => import('./page.tsx'))

const TITLE = {
  permission: 'Claude Code asks for permission',
  idle: 'Claude Code is waiting for you',
  'rate-limit': 'Claude Code has hit a rate limit',
  error: 'Claude Code reports an error',
  other: 'Claude Code',
} as const

function useCommands(): readonly Command[] {
  const patch = usePatchSettings()
  const theme = useTheme((state) => state.theme)
  const offline = useOfflineReason()
  const otherTheme = isDark(theme) ? 'light' : 'dark'
  return [
    { id: 'hooks', label: 'Install or remove hooks', icon: PlugZap, order: 20, href: '/settings/capture' },
    { id: 'rescore', label: 'Rescore all traces', icon: RefreshCw, order: 30, href: '/settings/scoring' },
    { id: 'verify', label: 'Check the archive', icon: ShieldCheck, order: 40, href: '/settings/storage' },
    { id: 'providers', label: 'Providers: keys, models and limits', icon: Server, order: 70, href: '/settings/providers' },
    { id: 'router', label: 'Use my model in Claude Code', icon: PlugZap, order: 75, href: '/settings/router' },
    { id: 'doctor', label: 'Doctor: check this machine', icon: Stethoscope, order: 180, href: '/settings/doctor' },
    {
      id: 'theme',
      label: `Switch to the ${otherTheme} theme`,
      icon: Contrast,
      order: 190,
      off: offline,
      run: () => patch.mutate({ appearance: { theme: otherTheme } }),
    },
  ]
}

export const settings = {
  sections: [{ group: 'bottom', path: '/settings', label: 'Settings', icon: Settings, words: 'preferences options configuration' }],
  pages: [{ path: '/settings/:section?', page: ({ section }, features) => <SettingsPage section={section} features={features} /> }],
  messages: [settingsMessages, captureMessages, providerMessages, routerMessages, signInMessages],
  useCommands,
  status: [
    { side: 'left', order: 10, Item: CaptureItem },
    { side: 'left', order: 20, Item: ArchiveItem },
    { side: 'right', order: 20, Item: DiskItem },
  ],
  jobs: [
    { kind: 'verify', name: 'Archive check' },
    { kind: 'backup', name: 'Backup' },
  ],
  notices: {
    'capture:notification': ({ kind, message, traceId }) => ({
      kind: 'permission',
      title: TITLE[kind],
      body: message,
      traceId,
      when: 'always',
    }),
  },
  settings: SETTINGS_SECTIONS,
} satisfies Feature
