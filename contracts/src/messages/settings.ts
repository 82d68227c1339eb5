import { z } from 'zod'
import { Settings } from '../entities/settings.ts'
import type { MessageGroup } from './group.ts'

export const settingsMessages = {
  durable: {
    'settings:changed': z.object({ settings: Settings }),
  },
  passing: {},
} satisfies MessageGroup
