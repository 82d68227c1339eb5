/** What a request to the proxy asks for. */

/** A host, in lower case and without a dot at its end, and a port. */
export interface Target {
  host: string
  port: number
}

/** `host:port`; null for anything else. `port`: the one that holds if none is given. */
export function targetOf(text: string, port?: number): Target | null {
  const match = /^([A-Za-z0-9_.-]{1,253})(?::(\d{1,5}))?$/.exec(text)
  if (!match) return null
  const given = match[2] === undefined ? port : Number(match[2])
  if (given === undefined || given < 1 || given > 65_535) return null
  return { host: normal(match[1]!), port: given }
}

export const normal = (host: string): string => host.toLowerCase().replace(/\.$/, '')
export const addressOf = ({ host, port }: Target): string => `${host}:${port}`
export const isSame = (one: Target, other: Target): boolean => one.host === other.host && one.port === other.port
