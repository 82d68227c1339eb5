import { House } from 'lucide-react'
import { loopMessages } from '#renderer/api/loop.ts'
import { statsMessages } from '#renderer/api/stats.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { LoopItem } from './status.tsx'

/** Home and the first run share an address, so the frame chooses between them (app/start.tsx). */
export const home = {
  sections: [{ group: 'top', path: '/', label: 'Home', icon: House, words: 'overview dashboard start' }],
  messages: [statsMessages, loopMessages],
  status: [{ side: 'left', order: 5, Item: LoopItem }],
} satisfies Feature
