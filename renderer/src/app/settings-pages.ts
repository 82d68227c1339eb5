import { inOrder, type Feature, type SettingsPage } from './feature.ts'

/** The pages of Settings, in their order. */
export const settingsPages = (features: readonly Feature[]): SettingsPage[] => inOrder(features.flatMap(({ settings = [] }) => settings))

/** The page with this id, or the first page. */
export const settingsPageOf = (features: readonly Feature[], name: string | undefined): SettingsPage | undefined => {
  const pages = settingsPages(features)
  return pages.find(({ id }) => id === name) ?? pages[0]
}

/** The pages whose label or search words contain every word of the query. */
export function findSettings(features: readonly Feature[], query: string): SettingsPage[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return settingsPages(features).filter((page) => words.every((word) => `${page.label} ${page.words}`.toLowerCase().includes(word)))
}
