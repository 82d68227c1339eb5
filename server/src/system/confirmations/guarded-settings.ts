import type { ConfirmedChange } from '#contracts/entities/confirmation.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { AppError } from '#contracts/errors.ts'

/** Settings that decide which programs run, which addresses get keys, which folders are written, or which are read. */
const GUARDED: readonly { what: string; of: (settings: Settings) => string }[] = [
  { what: 'Python for training', of: ({ training }) => training.python },
  { what: 'Address of the Ray cluster', of: ({ training }) => training.ray.address },
  { what: 'Token file of the Ray cluster', of: ({ training }) => training.ray.tokenFile },
  { what: 'Python on the Ray cluster', of: ({ training }) => training.ray.python },
  { what: 'Address of the model hub', of: ({ training }) => training.hub.endpoint },
  { what: 'Folder of downloaded models', of: ({ training }) => training.hub.folder },
  { what: 'Address of Anthropic', of: ({ providers }) => providers.anthropic.baseUrl },
  { what: 'Address of NVIDIA NIM', of: ({ providers }) => providers.nim.baseUrl },
  { what: 'Address of the OpenAI-compatible provider', of: ({ providers }) => providers.openai.baseUrl },
  { what: 'Links out of the folders of sessions', of: ({ capture }) => (capture.followLinks ? 'followed' : 'not followed') },
]

const DEFAULTS = Settings.parse({})

/**
 * The changes that the owner must confirm. Resetting to a default needs no confirmation, because it trusts nothing new.
 * Throws `settings_invalid` for control characters, which could hide part of the question.
 */
export function guardedChanges(before: Settings, after: Settings): ConfirmedChange[] {
  const changes = GUARDED.map(({ what, of }) => ({ what, from: of(before), to: of(after), default: of(DEFAULTS) }))
    .filter(({ from, to, default: initial }) => to !== from && to !== initial)
    .map(({ what, from, to }) => ({ what, from, to }))
  const invalid = changes.find(({ to }) => /\p{Cc}/u.test(to))
  if (invalid)
    throw new AppError('settings_invalid', { message: `"${invalid.what}" contains a line break or another control character. Remove it.` })
  return changes
}
