import { useEffect, useState } from 'react'
import type { DesktopBridge } from '#contracts/ipc.ts'

declare global {
  interface Window {
    bashgymDesktop?: DesktopBridge
  }
}

/** The functions of the desktop shell, or null in a browser. */
export const desktop = (): DesktopBridge | null => window.bashgymDesktop ?? null

/** Why the server is not running, as reported by the desktop shell; null in a browser and while the server runs. */
export function useServerReason(): string | null {
  const [reason, setReason] = useState<string | null>(null)
  useEffect(() => desktop()?.onServer(setReason), [])
  return reason
}
