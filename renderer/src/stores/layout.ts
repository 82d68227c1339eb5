import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** How the user has arranged the window; kept in this browser only. */
interface Layout {
  railFolded: boolean
  toggleRail: () => void
}

export const useLayout = create<Layout>()(
  persist(
    (set) => ({
      railFolded: false,
      toggleRail: () => set(({ railFolded }) => ({ railFolded: !railFolded })),
    }),
    { name: 'bashgym.layout', partialize: ({ railFolded }) => ({ railFolded }) },
  ),
)
