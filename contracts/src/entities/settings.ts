import { z } from 'zod'
import { ArenaSettings } from '../settings/arena.ts'
import { CaptureSettings } from '../settings/capture.ts'
import { FactorySettings } from '../settings/factory.ts'
import { AppearanceSettings, NotificationSettings, OnboardingSettings } from '../settings/interface.ts'
import { patchOf } from '../settings/patch.ts'
import { PriceSettings } from '../settings/prices.ts'
import { ScoringSettings } from '../settings/scoring.ts'
import { TrainingSettings } from '../settings/training.ts'
import { PrivacyPolicy } from './privacy.ts'
import { ProviderSettings } from './provider.ts'

/** All settings, grouped by stage or noun; `parse({})` gives the defaults. Stored per field; changes apply at once. */
export const Settings = z
  .object({
    capture: CaptureSettings,
    scoring: ScoringSettings,
    prices: PriceSettings,
    appearance: AppearanceSettings,
    notifications: NotificationSettings,
    onboarding: OnboardingSettings,
    arena: ArenaSettings,
    factory: FactorySettings,
    training: TrainingSettings,
    privacy: PrivacyPolicy.prefault({}),
    providers: ProviderSettings.prefault({}),
  })
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof Settings>

export const SettingsPatch = patchOf(Settings).meta({ id: 'SettingsPatch' })
export type SettingsPatch = z.infer<typeof SettingsPatch>

/** The parts of a restored backup that would run or send something; they take effect only after the user confirms them. */
export const RestoredItems = z
  .object({
    settings: z.array(z.object({ key: z.string().meta({ description: 'group.name, e.g. training.python' }), value: z.unknown() })),
    droppedSettings: z.array(z.string()).meta({ description: 'names of settings that this version does not know or cannot use' }),
    pausedRuns: z.number().int().meta({ description: 'training runs that were queued when the backup was made and are now paused' }),
  })
  .meta({ id: 'RestoredItems' })
export type RestoredItems = z.infer<typeof RestoredItems>

/** Where each path or port came from, so that the page can say which one won. */
export const SettingsOrigin = z.object({
  name: z.string(),
  value: z.string(),
  origin: z.enum(['flag', 'environment', 'setting', 'default']),
})
export const SettingsDocument = z
  .object({ settings: Settings, environment: z.array(SettingsOrigin), storedIn: z.string() })
  .meta({ id: 'SettingsDocument' })
export type SettingsDocument = z.infer<typeof SettingsDocument>
