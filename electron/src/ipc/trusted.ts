import type { IpcMainInvokeEvent } from 'electron'
import { isFrom } from '../origin.ts'

/** Allowed callers: the top frame of a page of the server. Anything else is refused before its payload is read. */
export function requireTrusted({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>, allowedOrigin: string | null): void {
  const isTop = senderFrame !== null && senderFrame.parent === null
  if (!isTop || !isFrom(senderFrame.url, allowedOrigin)) throw new Error('This page may not call the desktop shell.')
}
