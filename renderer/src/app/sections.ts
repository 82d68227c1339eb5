import {
  Box,
  ChartLine,
  Database,
  GitCompareArrows,
  House,
  ListTree,
  MessagesSquare,
  Settings,
  ShieldCheck,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react'

export interface Section {
  path: string
  label: string
  icon: LucideIcon
  /** Other words by which people look for it. */
  words: string
}

export interface SectionGroup {
  id: string
  label: string
  sections: readonly Section[]
}

export const HOME: Section = { path: '/', label: 'Home', icon: House, words: 'overview dashboard start' }
export const SETTINGS: Section = { path: '/settings', label: 'Settings', icon: Settings, words: 'preferences options configuration' }

/** The groups of the rail, in the order of the work. A section is added when its screens exist. */
export const GROUPS: readonly SectionGroup[] = [
  {
    id: 'data',
    label: 'Data',
    sections: [
      { path: '/traces', label: 'Traces', icon: ListTree, words: 'sessions transcripts history conversations' },
      { path: '/factory/examples', label: 'Examples', icon: MessagesSquare, words: 'factory training examples review' },
      { path: '/factory/pairs', label: 'Pairs', icon: GitCompareArrows, words: 'factory preference chosen rejected dpo' },
      { path: '/factory/datasets', label: 'Data sets', icon: Database, words: 'factory datasets dataset versions rows export' },
    ],
  },
  {
    id: 'models',
    label: 'Models',
    sections: [
      { path: '/training', label: 'Training', icon: ChartLine, words: 'runs loss curves queue fine-tune' },
      { path: '/models', label: 'Models', icon: Box, words: 'registry artifacts adapters gguf export serve try' },
    ],
  },
  {
    id: 'run',
    label: 'Run',
    sections: [{ path: '/arena', label: 'Arena', icon: SquareTerminal, words: 'sandboxes shells terminal containers docker isolation' }],
  },
  {
    id: 'safety',
    label: 'Safety',
    sections: [{ path: '/privacy', label: 'Privacy', icon: ShieldCheck, words: 'secrets personal data findings scan redact' }],
  },
]

export const SECTIONS: readonly Section[] = [HOME, ...GROUPS.flatMap(({ sections }) => sections), SETTINGS]

export const isInSection = (section: string, path: string): boolean =>
  section === '/' ? path === '/' : path === section || path.startsWith(`${section}/`)
