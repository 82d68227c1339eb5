import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'

/** Sessions that were chosen in one section to be used in another; kept while the tab is open. */
export const useChosenSessions = create<{ ids: readonly string[] }>()(
  persist((): { ids: readonly string[] } => ({ ids: [] }), {
    name: 'bashgym.chosen-sessions',
    storage: createJSONStorage(() => sessionStorage),
  }),
)
