import { z } from 'zod'

export const AppearanceSettings = z
  .object({
    theme: z.enum(['system', 'dark', 'light']).default('system'),
    density: z.enum(['compact', 'comfortable']).default('compact'),
    singleKeyShortcuts: z.boolean().default(true),
  })
  .prefault({})

export const NotificationSettings = z.object({ permission: z.boolean().default(true), jobs: z.boolean().default(true) }).prefault({})

export const OnboardingSettings = z.object({ done: z.boolean().default(false) }).prefault({})
