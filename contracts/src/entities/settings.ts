import { z } from 'zod'
import { PrivacyPolicy } from './privacy.ts'
import { ProviderSettings, ProviderSettingsPatch } from './provider.ts'
import { Policy, Thresholds } from './score.ts'

/** A Ray cluster that sees the data directory and the trainers under the same paths. */
export const RaySettings = z.object({
  address: z.string().trim().max(1000).default('').meta({ description: 'of its dashboard; empty: none' }),
  tokenFile: z.string().trim().max(4096).default('').meta({ description: 'file (0600) with its token' }),
  python: z.string().trim().max(4096).default('').meta({ description: 'interpreter there; empty: the same path as here' }),
  gpus: z.number().int().min(0).max(64).default(0).meta({ description: 'that a run asks the cluster for' }),
})
export type RaySettings = z.infer<typeof RaySettings>

/** All settings with their defaults; `parse({})` gives the defaults. Stored per field, changes apply at once. */
export const Settings = z
  .object({
    capture: z
      .object({
        paused: z.boolean().default(false),
        excludedProjects: z.array(z.string().min(1)).default([]).meta({ description: 'working directories, or patterns with *' }),
        followLinks: z.boolean().default(false).meta({ description: 'follow symbolic links that lead out of the folders of sessions' }),
      })
      .prefault({}),
    scoring: z
      .object({
        policy: Policy.default('thresholds'),
        thresholds: Thresholds.default({
          gold: { successRate: 0.9, quality: 0.75 },
          silver: { successRate: 0.75, quality: 0.55 },
          bronze: { successRate: 0.6, quality: 0.4 },
        }),
        verificationCommands: z
          .array(z.object({ project: z.string(), command: z.string(), kind: z.enum(['test', 'build', 'lint']) }))
          .default([])
          .meta({ description: 'commands that verify in this project, beside the known ones' }),
      })
      .prefault({}),
    prices: z
      .array(
        z.object({
          model: z.string(),
          inputPerMTok: z.number().min(0),
          outputPerMTok: z.number().min(0),
          cacheReadPerMTok: z.number().min(0).optional().meta({ description: 'left out: 0.1 of the input price' }),
          cacheWritePerMTok: z.number().min(0).optional().meta({ description: 'left out: 1.25 of the input price' }),
        }),
      )
      .default([])
      .meta({ description: 'own prices in USD; the longest prefix of the model id wins, own before built-in' }),
    appearance: z
      .object({
        theme: z.enum(['system', 'dark', 'light']).default('system'),
        density: z.enum(['compact', 'comfortable']).default('compact'),
        singleKeyShortcuts: z.boolean().default(true),
      })
      .prefault({}),
    notifications: z.object({ permission: z.boolean().default(true), jobs: z.boolean().default(true) }).prefault({}),
    onboarding: z.object({ done: z.boolean().default(false) }).prefault({}),
    factory: z
      .object({
        tokenizers: z.array(z.string().min(1)).default([]).meta({ description: 'folders with a tokenizer, beside those that are found' }),
      })
      .prefault({}),
    training: z
      .object({
        python: z.string().default('').meta({ description: 'interpreter that trains; empty: the own environment, else one on PATH' }),
        ray: RaySettings.prefault({}),
        baseModels: z
          .array(z.string().min(1))
          .default([])
          .meta({ description: 'folders (whole paths) in and below which base models are looked for, beside the Hub cache and own runs' }),
      })
      .prefault({}),
    privacy: PrivacyPolicy.prefault({}),
    providers: ProviderSettings.prefault({}),
  })
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof Settings>

const partial = <T extends z.ZodRawShape>(shape: z.ZodObject<T>) => shape.partial()

/** A change: any group, any field in it. Unknown keys are refused. */
export const SettingsPatch = z
  .strictObject({
    capture: z
      .strictObject({ paused: z.boolean(), excludedProjects: z.array(z.string().min(1).max(1000)).max(1000), followLinks: z.boolean() })
      .partial(),
    scoring: z
      .strictObject({
        policy: Policy,
        thresholds: Thresholds,
        verificationCommands: z
          .array(z.object({ project: z.string().max(1000), command: z.string().min(1).max(1000), kind: z.enum(['test', 'build', 'lint']) }))
          .max(500),
      })
      .partial(),
    prices: z
      .array(
        z.strictObject({
          model: z.string().min(1).max(200),
          inputPerMTok: z.number().min(0),
          outputPerMTok: z.number().min(0),
          cacheReadPerMTok: z.number().min(0).optional(),
          cacheWritePerMTok: z.number().min(0).optional(),
        }),
      )
      .max(500),
    appearance: partial(
      z.strictObject({
        theme: z.enum(['system', 'dark', 'light']),
        density: z.enum(['compact', 'comfortable']),
        singleKeyShortcuts: z.boolean(),
      }),
    ),
    notifications: partial(z.strictObject({ permission: z.boolean(), jobs: z.boolean() })),
    onboarding: partial(z.strictObject({ done: z.boolean() })),
    factory: partial(z.strictObject({ tokenizers: z.array(z.string().min(1).max(4096)).max(100) })),
    training: partial(
      z.strictObject({
        python: z.string().trim().max(4096),
        ray: z.strictObject(RaySettings.shape),
        baseModels: z.array(z.string().trim().min(1).max(4096)).max(100),
      }),
    ),
    // without defaults: a field that is not named stays as it is
    privacy: z
      .strictObject({
        types: PrivacyPolicy.shape.types.unwrap(),
        confidenceThreshold: PrivacyPolicy.shape.confidenceThreshold.unwrap(),
        defaultStrategy: PrivacyPolicy.shape.defaultStrategy.unwrap(),
        strategies: PrivacyPolicy.shape.strategies.unwrap(),
        customRules: PrivacyPolicy.shape.customRules.unwrap(),
        allowed: PrivacyPolicy.shape.allowed.unwrap(),
      })
      .partial(),
    providers: ProviderSettingsPatch,
  })
  .partial()
  .meta({ id: 'SettingsPatch' })
export type SettingsPatch = z.infer<typeof SettingsPatch>

/** What a restored backup brought that runs or sends something; it counts only after the user confirms it. */
export const RestoredItems = z
  .object({
    settings: z.array(z.object({ key: z.string().meta({ description: 'group.name, e.g. training.python' }), value: z.unknown() })),
    droppedSettings: z.array(z.string()).meta({ description: 'names of settings that this version does not know or cannot use' }),
    pausedRuns: z.number().int().meta({ description: 'training runs that waited when the backup was made, and are paused now' }),
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
