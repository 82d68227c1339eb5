import { House } from 'lucide-react'
import { statsMessages } from '#renderer/api/stats.ts'
import type { Feature } from '#renderer/app/feature.ts'

/** Home and the first run share an address, so the frame chooses between them (app/start.tsx). */
export const home = {
  sections: [{ group: 'top', path: '/', label: 'Home', icon: House, words: 'overview dashboard start' }],
  messages: [statsMessages],
} satisfies Feature
