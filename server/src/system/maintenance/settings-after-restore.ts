import { PII_TYPES, type PrivacyPolicy } from '#contracts/entities/privacy.ts'
import { Settings } from '#contracts/entities/settings.ts'

type Groups = {
  [Group in keyof Settings]: Settings[Group] extends readonly unknown[] ? Group : `${Group}.${keyof Settings[Group] & string}`
}
/** The keys that settings are stored under. */
type SettingKey = Groups[keyof Settings]

/**
 * What a restore does with a setting: it `keeps` it, or uses `until` of it until the user confirms the value in Settings.
 * Every setting needs a decision. One may only be kept if a stranger's value runs, reads, sends and spends nothing.
 */
type Decision = 'keeps' | { until: (value: unknown) => unknown }

const DEFAULTS = Settings.parse({})
const waits = (value: unknown): Decision => ({ until: () => value })
const { access, capture, factory, guardrails, training, privacy, providers, prices, router, telemetry } = DEFAULTS

const DECISIONS: Readonly<Record<SettingKey, Decision>> = {
  'capture.paused': 'keeps',
  'capture.excludedProjects': 'keeps', // it only prevents imports
  'capture.followLinks': waits(capture.followLinks),
  'scoring.policy': 'keeps',
  'scoring.thresholds': 'keeps',
  'scoring.verificationCommands': 'keeps', // they are recognised, never run
  'scoring.outcomesAfterImports': waits(false), // it reads folders that sessions name
  'scoring.outcomeDays': 'keeps',
  prices: waits(prices), // a limit in USD holds only with the true price
  'appearance.theme': 'keeps',
  'appearance.density': 'keeps',
  'appearance.singleKeyShortcuts': 'keeps',
  'notifications.permission': 'keeps',
  'notifications.jobs': 'keeps',
  'onboarding.done': 'keeps',
  'arena.running': 'keeps',
  'arena.snapshots': 'keeps',
  'arena.snapshotMb': 'keeps',
  'arena.queue': 'keeps',
  'access.trustedFolders': waits(access.trustedFolders),
  // a stranger's model would work in the user's projects
  'router.studentModel': waits(router.studentModel),
  'router.studentAddress': waits(router.studentAddress),
  'router.studentContext': waits(router.studentContext),
  'router.servedAtStart': 'keeps', // what it loads waits
  'router.servedContext': 'keeps',
  'router.servedThreads': 'keeps',
  'router.idleMinutes': 'keeps',
  'router.shadow': waits(router.shadow),
  'router.shadowPerDay': waits(router.shadowPerDay),
  'router.override': waits(router.override),
  'router.work': waits(router.work),
  'factory.tokenizers': waits(factory.tokenizers),
  'router.strategy': waits(router.strategy),
  'router.confidenceThreshold': waits(router.confidenceThreshold),
  'router.studentSampleRate': waits(router.studentSampleRate),
  'router.maxStudentRate': waits(router.maxStudentRate),
  'router.proxy': waits(router.proxy),
  'router.proxyPort': 'keeps',
  // they may spend more
  'router.rulesOn': waits(router.rulesOn),
  'router.rules': waits(router.rules),
  // a stranger's backup switches no check off
  'guardrails.injectionDetection': waits(guardrails.injectionDetection),
  'guardrails.codeSafety': waits(guardrails.codeSafety),
  'guardrails.piiFiltering': waits(guardrails.piiFiltering),
  'guardrails.contentModeration': waits(guardrails.contentModeration),
  'guardrails.service': waits(guardrails.service), // it would get texts
  'guardrails.blockedTopics': 'keeps', // they only warn about more, or block more
  'guardrails.allowedTopics': 'keeps',
  'guardrails.newSessions': 'keeps', // sessions are read in the background, as for personal data
  'guardrails.rules': 'keeps',
  'guardrails.client': waits(guardrails.client), // it changes the settings of Claude Code
  'guardrails.clientUnchecked': waits(guardrails.clientUnchecked),
  'telemetry.in': waits(telemetry.in), // it opens a port
  'telemetry.inPort': 'keeps',
  'telemetry.out': waits(telemetry.out), // what it names would get spans
  'telemetry.sampleRate': 'keeps',
  'training.python': waits(training.python),
  'training.ray': waits(training.ray),
  'training.hub': waits(training.hub),
  'training.baseModels': waits(training.baseModels),
  // of the privacy policy, the stricter of the default and the backup's
  'privacy.types': { until: (types) => PII_TYPES.filter((type) => privacy.types.includes(type) || (types as PrivacyPolicy['types']).includes(type)) }, // prettier-ignore
  'privacy.confidenceThreshold': { until: (threshold) => Math.min(threshold as number, privacy.confidenceThreshold) },
  'privacy.defaultStrategy': waits(privacy.defaultStrategy),
  'privacy.strategies': waits(privacy.strategies),
  'privacy.customRules': 'keeps', // they only find more
  'privacy.allowed': waits(privacy.allowed),
  'providers.anthropic': waits(providers.anthropic),
  'providers.nim': waits(providers.nim),
  'providers.openai': waits(providers.openai),
  'providers.augmentation': waits(providers.augmentation),
  'providers.requestsPerMinute': 'keeps',
  'providers.concurrency': 'keeps',
  'providers.timeoutSec': 'keeps',
}

const defaultOf = (key: string): unknown => {
  const [group = '', name] = key.split('.', 2)
  const value = (DEFAULTS as unknown as Record<string, Record<string, unknown>>)[group]
  return name === undefined ? value : value?.[name]
}

/** The value to use of a valid setting of a backup, and whether the user has to confirm its own value. */
export function settingAfterRestore(key: string, value: unknown): { use: unknown; isDefault: boolean; waits: boolean } {
  const decision = DECISIONS[key as SettingKey]
  const use = decision === 'keeps' ? value : decision.until(value)
  return { use, isDefault: isSame(use, defaultOf(key)), waits: !isSame(use, value) }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
