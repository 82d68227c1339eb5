/** Address of the app for `bashgym://trace/<id>`; null for anything else. Other programs may open such links, so only this form is accepted. */
export function pathOfDeepLink(link: string): string | null {
  const match = /^bashgym:\/\/trace\/([a-z2-7]{26})\/?$/.exec(link)
  return match?.[1] ? pathOfTrace(match[1]) : null
}

export const pathOfTrace = (id: string): string => `/traces?id=${encodeURIComponent(id)}`

/** The first deep link in an argument list (how Windows and Linux hand it over). */
export const deepLinkIn = (args: readonly string[]): string | null => args.map(pathOfDeepLink).find((path) => path !== null) ?? null
