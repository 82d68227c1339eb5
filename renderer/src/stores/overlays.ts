import { create } from 'zustand'

/** Which of the app-wide overlays is open; one at a time. */
export const useOverlays = create<{ open: 'palette' | 'keys' | null }>(() => ({ open: null }))

export const showOverlay = (open: 'palette' | 'keys' | null) => useOverlays.setState({ open })
