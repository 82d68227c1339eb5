import type { RedactionCounts } from './entities/privacy.ts'

const NAMES: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['api_key', ['API key', 'API keys']],
  ['auth_token', ['access token', 'access tokens']],
  ['connection_string', ['connection string', 'connection strings']],
  ['password', ['password', 'passwords']],
  ['private_key', ['private key', 'private keys']],
  ['secret', ['other secret', 'other secrets']],
  ['unscanned', ['text that could not be searched in time', 'texts that could not be searched in time']],
])

export const hasRedactions = (counts: RedactionCounts): boolean => Object.keys(counts).length > 0

/** "Replaced before it was sent: 1 API key, 2 passwords." */
export function redactedText(counts: RedactionCounts): string {
  const parts = Object.entries(counts).map(([type, count]) => {
    const name = type.replaceAll('_', ' ')
    const [one, many] = NAMES.get(type) ?? [name, name]
    return `${count} ${count === 1 ? one : many}`
  })
  return hasRedactions(counts) ? `Replaced before it was sent: ${parts.join(', ')}.` : 'No secret was replaced.'
}
