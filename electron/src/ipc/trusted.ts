import type { IpcMainInvokeEvent } from 'electron'
import { hasOrigin } from '../origin.ts'

/** Throws unless the caller is the top frame of one of the server's pages. Call it before the payload is read. */
export function requireTrusted({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>, allowedOrigin: string | null): void {
  const isTop = senderFrame !== null && senderFrame.parent === null
  if (!isTop || !hasOrigin(senderFrame.url, allowedOrigin)) throw new Error('This page may not call the desktop shell.')
}
