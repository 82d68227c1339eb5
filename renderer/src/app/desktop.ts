import { useEffect, useState } from 'react'
import type { DesktopBridge } from '#contracts/ipc.ts'

declare global {
  interface Window {
    bashgymDesktop?: DesktopBridge
  }
}

/** The desktop shell's few calls, or null in a browser. */
export const desktop = (): DesktopBridge | null => window.bashgymDesktop ?? null

/** Why the server is away, as reported by the desktop shell; null in a browser and while the server is there. */
export function useServerReason(): string | null {
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => desktop()?.onServer(setReason), [])
  return reason
}
