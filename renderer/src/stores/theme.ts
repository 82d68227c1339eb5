import { create } from 'zustand'
import { persist } from 'zustand/middleware'

export type Theme = 'system' | 'dark' | 'light'
export type Density = 'compact' | 'comfortable'

/**
 * The look that was last in force, kept here so that the page starts in it, before the settings have been read. The
 * setting itself lives on the server.
 */
export const useTheme = create<{ theme: Theme; density: Density }>()(
  persist(() => ({ theme: 'system' as Theme, density: 'compact' as Density }), { name: 'bashgym.theme' }),
)

const ROW_PX: Record<Density, number> = { compact: 32, comfortable: 40 }
/** Height of a row of a list. */
export const useRowPx = (): number => useTheme(({ density }) => ROW_PX[density])

/** What is on screen now: `system` is what the system prefers. */
export const isDark = (theme: Theme): boolean =>
  theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)

/** Writes the look to the document and follows every later choice. Colours and row height are read from there by CSS. */
export function applyTheme(): void {
  const apply = ({ theme, density }: { theme: Theme; density: Density }) => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    dataset.density = density
  }
  apply(useTheme.getState())
  useTheme.subscribe(apply)
}
