import { z } from 'zod'
import { AccessSettings } from '../settings/access.ts'
import { ArenaSettings } from '../settings/arena.ts'
import { CaptureSettings } from '../settings/capture.ts'
import { FactorySettings } from '../settings/factory.ts'
import { GuardrailSettings } from '../settings/guardrails.ts'
import { AppearanceSettings, NotificationSettings, OnboardingSettings } from '../settings/interface.ts'
import { patchOf } from '../settings/patch.ts'
import { PriceSettings } from '../settings/prices.ts'
import { RouterSettings } from '../settings/router.ts'
import { ScoringSettings } from '../settings/scoring.ts'
import { TelemetrySettings } from '../settings/telemetry.ts'
import { TrainingSettings } from '../settings/training.ts'
import { PrivacyPolicy } from './privacy.ts'
import { ProviderSettings } from './provider.ts'
import { RestoredCount } from './restored.ts'

/** All settings; `parse({})` returns the defaults. Each field is stored separately, and changes apply at once. */
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
    router: RouterSettings,
    guardrails: GuardrailSettings,
    telemetry: TelemetrySettings,
    access: AccessSettings,
    privacy: PrivacyPolicy.prefault({}),
    providers: ProviderSettings.prefault({}),
  })
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof Settings>

export const SettingsPatch = patchOf(Settings).meta({ id: 'SettingsPatch' })
export type SettingsPatch = z.infer<typeof SettingsPatch>

/** Parts of a restored backup that would run or send something; they apply only after the user confirms them. */
export const RestoredItems = z
  .object({
    settings: z.array(z.object({ key: z.string().meta({ description: 'group.name, for example training.python' }), value: z.unknown() })),
    droppedSettings: z.array(z.string()).meta({ description: 'names of settings that this version does not know or cannot use' }),
    waiting: z.array(RestoredCount).meta({ description: 'rows that are not used until the user chooses "Use again", by kind' }),
    isNoted: z.boolean().meta({ description: 'whether the user has dismissed the notice' }),
  })
  .meta({ id: 'RestoredItems' })
export type RestoredItems = z.infer<typeof RestoredItems>

/** Where a path or port came from. */
export const SettingsOrigin = z.object({
  name: z.string(),
  value: z.string(),
  origin: z.enum(['flag', 'environment', 'file', 'setting', 'default']).meta({ description: 'file: `.env`' }),
})
export type SettingsOrigin = z.infer<typeof SettingsOrigin>
export const SettingsDocument = z
  .object({ settings: Settings, environment: z.array(SettingsOrigin), storedIn: z.string() })
  .meta({ id: 'SettingsDocument' })
export type SettingsDocument = z.infer<typeof SettingsDocument>
