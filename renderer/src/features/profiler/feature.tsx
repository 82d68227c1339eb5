import { ChartGantt } from 'lucide-react'
import { lazy } from 'react'
import { profileMessages } from '#renderer/api/profiles.ts'
import { telemetryMessages } from '#renderer/api/telemetry.ts'
import type { Feature } from '#renderer/app/feature.ts'

const ListPage = lazy(() => import('./list-page.tsx'))
const AcrossPage = lazy(() => import('./across-page.tsx'))
const ProfilePage = lazy(() => import('./profile-page.tsx'))

export const profiler = {
  sections: [
    {
      group: 'watch',
      path: '/profiler',
      label: 'Profiler',
      icon: ChartGantt,
      words: 'profile waterfall spans time slow latency tokens cost cache context bottleneck perfetto otlp trace',
    },
  ],
  pages: [
    { path: '/profiler', page: () => <ListPage key="sessions" of="sessions" /> },
    { path: '/profiler/recorded', page: () => <ListPage key="recorded" of="recorded" /> },
    { path: '/profiler/across', page: () => <AcrossPage /> },
    { path: '/profiler/:id', page: ({ id = '' }) => <ProfilePage key={id} id={id} /> },
  ],
  useCommands: () => [
    {
      id: 'profiler-across',
      label: 'Where time and money went, by repository, model, tool or week',
      words: 'analytics statistics cost tokens waiting errors sessions',
      icon: ChartGantt,
      order: 71,
      href: '/profiler/across',
    },
  ],
  settings: [
    {
      id: 'telemetry',
      label: 'Telemetry',
      words: 'otlp opentelemetry otel phoenix langfuse collector spans export send receive claude code metrics logs',
      order: 45,
      Body: lazy(() => import('./telemetry.tsx')),
    },
  ],
  messages: [profileMessages, telemetryMessages],
} satisfies Feature
