import { Box, ChartLine, Factory, House, ListTree, Settings, ShieldCheck } from 'lucide-react'

/** The sections of the rail, in the order of the pipeline. One is added when its screens exist. */
export const SECTIONS = [
  { path: '/', label: 'Home', icon: House, place: 'top' },
  { path: '/traces', label: 'Traces', icon: ListTree, place: 'top' },
  { path: '/factory', label: 'Factory', icon: Factory, place: 'top' },
  { path: '/training', label: 'Training', icon: ChartLine, place: 'top' },
  { path: '/models', label: 'Models', icon: Box, place: 'top' },
  { path: '/privacy', label: 'Privacy', icon: ShieldCheck, place: 'top' },
  { path: '/settings', label: 'Settings', icon: Settings, place: 'bottom' },
] as const

export const isInSection = (section: string, path: string): boolean =>
  section === '/' ? path === '/' : path === section || path.startsWith(`${section}/`)
