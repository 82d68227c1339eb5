import { Compass } from 'lucide-react'
import type { Feature } from '#renderer/app/feature.ts'

/** The page shows parts of Settings, so the frame builds it (app/start.tsx). */
export const onboarding = {
  messages: [],
  useCommands: () => [
    { id: 'welcome', label: 'First-run guide', words: 'welcome set up onboarding start', icon: Compass, order: 140, href: '/welcome' },
  ],
} satisfies Feature
