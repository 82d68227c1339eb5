/** The target of a request to the proxy: a host, in lower case and without a dot at its end, and a port. */
export interface Target {
  host: string
  port: number
}

/** Parses `host:port`; null for anything else. `port` is the default. */
export function targetOf(text: string, port?: number): Target | null {
  const match = /^([A-Za-z0-9_.-]{1,253})(?::(\d{1,5}))?$/.exec(text)
  if (!match) return null
  const portNumber = match[2] === undefined ? port : Number(match[2])
  if (portNumber === undefined || portNumber < 1 || portNumber > 65_535) return null
  return { host: normalHost(match[1]!), port: portNumber }
}

export const normalHost = (host: string): string => host.toLowerCase().replace(/\.$/, '')
export const addressOf = ({ host, port }: Target): string => `${host}:${port}`
export const isSame = (one: Target, other: Target): boolean => one.host === other.host && one.port === other.port
