/** The sections of Settings; `words` is what its search finds beside the name. */
export const SETTINGS_SECTIONS = [
  {
    id: 'capture',
    label: 'Capture and hooks',
    words: 'install remove hooks diff backup events client version pause excluded projects import',
  },
  { id: 'scoring', label: 'Scoring', words: 'policy thresholds gold silver bronze rescore verification commands tests marked' },
  {
    id: 'privacy',
    label: 'Privacy',
    words: 'secrets personal data types redact replace strategy threshold confidence rules allowed differential budget gate',
  },
  {
    id: 'providers',
    label: 'Providers',
    words: 'anthropic nvidia nim openai endpoint address key model limits requests concurrency timeout augmentation grow',
  },
  {
    id: 'training',
    label: 'Training',
    words:
      'python environment install repair remove packages torch cuda gpu interpreter venv log ray cluster remote base models folders gguf',
  },
  { id: 'prices', label: 'Prices', words: 'cost usd tokens model' },
  { id: 'appearance', label: 'Appearance and keyboard', words: 'theme dark light density compact comfortable single keys shortcuts' },
  { id: 'storage', label: 'Storage', words: 'archive disk size verify check backup rebuild samples' },
  { id: 'notifications', label: 'Notifications', words: 'permission jobs desktop' },
  { id: 'sign-ins', label: 'Signed-in browsers', words: 'security sign out everywhere revoke sessions devices token' },
  { id: 'api', label: 'API access', words: 'token rest openapi docs automation' },
  { id: 'doctor', label: 'Doctor', words: 'found missing version node claude' },
  { id: 'about', label: 'About', words: 'version data directory environment variables licence' },
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]['id']

export const sectionOf = (name: string | undefined): SettingsSection => SETTINGS_SECTIONS.find(({ id }) => id === name)?.id ?? 'capture'

/** Sections whose name or words hold every word of the query. */
export function findSections(query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return SETTINGS_SECTIONS.filter((section) => words.every((word) => `${section.label} ${section.words}`.toLowerCase().includes(word)))
}
