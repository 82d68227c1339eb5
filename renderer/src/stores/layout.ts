import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** How the user has arranged the window; kept in this browser only. */
interface Layout {
  railFolded: boolean
  toggleRail: () => void
  /** Ids of the groups of the rail whose sections are hidden. */
  closedGroups: readonly string[]
  toggleGroup: (id: string) => void
}

export const useLayout = create<Layout>()(
  persist(
    (set) => ({
      railFolded: false,
      toggleRail: () => set(({ railFolded }) => ({ railFolded: !railFolded })),
      closedGroups: [],
      toggleGroup: (id) =>
        set(({ closedGroups: closed }) => ({ closedGroups: closed.includes(id) ? closed.filter((one) => one !== id) : [...closed, id] })),
    }),
    { name: 'bashgym.layout', partialize: ({ railFolded, closedGroups }) => ({ railFolded, closedGroups }) },
  ),
)
