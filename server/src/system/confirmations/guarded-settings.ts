import type { ConfirmedChange } from '#contracts/entities/confirmation.ts'
import { Settings } from '#contracts/entities/settings.ts'
import { AppError } from '#contracts/errors.ts'

/**
 * Settings that name a program that runs here or there, an address that is sent keys, or a folder that is written to, or
 * let reading leave its folders.
 */
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
 * What a change of settings does to them. Going back to a default needs no confirmation: it trusts nobody new. Throws
 * `settings_invalid` for control characters, by which a question could be moved out of sight.
 */
export function guardedChanges(before: Settings, after: Settings): ConfirmedChange[] {
  const changes = GUARDED.map(({ what, of }) => ({ what, from: of(before), to: of(after), default: of(DEFAULTS) }))
    .filter(({ from, to, default: initial }) => to !== from && to !== initial)
    .map(({ what, from, to }) => ({ what, from, to }))
  const odd = changes.find(({ to }) => /\p{Cc}/u.test(to))
  if (odd)
    throw new AppError('settings_invalid', { message: `"${odd.what}" contains a line break or another control character. Remove it.` })
  return changes
}
