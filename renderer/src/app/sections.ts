import type { Section } from './feature.ts'
import { FEATURES } from './features.ts'

/** Every section, in the order of the rail. */
export const SECTIONS: readonly Section[] = FEATURES.flatMap(({ sections = [] }) => sections)

const within = (group: Section['group']) => SECTIONS.filter((section) => section.group === group)

export const TOP = within('top')
export const BOTTOM = within('bottom')

export interface SectionGroup {
  id: string
  label: string
  sections: readonly Section[]
}

/** The groups of the rail that have sections, in workflow order. */
export const GROUPS: readonly SectionGroup[] = [
  { id: 'data', label: 'Data', sections: within('data') },
  { id: 'models', label: 'Models', sections: within('models') },
  { id: 'run', label: 'Run', sections: within('run') },
  { id: 'watch', label: 'Watch', sections: within('watch') },
].filter(({ sections }) => sections.length > 0)

export const isInSection = (sectionPath: string, path: string): boolean =>
  sectionPath === '/' ? path === '/' : path === sectionPath || path.startsWith(`${sectionPath}/`)
