/** The order matters: the user agent of a browser can also contain the names below it. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Electron\//, 'Desktop app'],
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Shows known names only, because the rest of a user agent could be any text. */
export function browserName(userAgent: string): string {
  const nameIn = (list: readonly [RegExp, string][]) => list.find(([form]) => form.test(userAgent))?.[1]
  const browser = nameIn(BROWSERS) ?? 'Unknown browser'
  const system = nameIn(SYSTEMS)
  return system ? `${browser} on ${system}` : browser
}
