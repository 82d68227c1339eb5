import type { IncomingHttpHeaders } from 'node:http'

/** A key of the body itself: inside a text its quotes would be escaped. */
const FIELD = '"safeguards":'
const TOOLS = '"tools":[{'
/** Older clients never ask for it. */
const SINCE = [2, 1, 300]

/**
 * Whether a request in auto mode asks for the check of its commands. After a refusal of the field the client leaves it out for the
 * rest of its session, and refuses every command that needs one. Null: no request of auto mode with tools.
 */
export function asksForCheck(headers: IncomingHttpHeaders, body: Buffer): boolean | null {
  if (!String(headers['anthropic-beta']).includes('afk-mode-') || !isSince(headers['user-agent'])) return null
  if (body.includes(FIELD)) return true
  return body.includes(TOOLS) ? false : null
}

function isSince(agent: string | undefined): boolean {
  const version = /^claude-cli\/(\d+)\.(\d+)\.(\d+)/
    .exec(agent ?? '')
    ?.slice(1)
    .map(Number)
  const at = version?.findIndex((part, index) => part !== SINCE[index]) ?? -1
  return version !== undefined && (at === -1 || (version[at] ?? 0) > (SINCE[at] ?? 0))
}
