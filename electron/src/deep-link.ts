/** The app path for `bashgym://trace/<id>`; null for anything else, because any program can open such links. */
export function pathOfDeepLink(link: string): string | null {
  const match = /^bashgym:\/\/trace\/([a-z2-7]{26})\/?$/.exec(link)
  return match?.[1] ? pathOfTrace(match[1]) : null
}

export const pathOfTrace = (id: string): string => `/traces?id=${encodeURIComponent(id)}`

/** The app path for the first deep link in an argument list, which is how Windows and Linux pass links. */
export const deepLinkIn = (args: readonly string[]): string | null => args.map(pathOfDeepLink).find((path) => path !== null) ?? null
