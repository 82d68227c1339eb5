import { create } from 'zustand'
import { createClient, errorOf, type Transport } from '#contracts/derive/client.ts'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'
import { getConfirmation } from '#contracts/routes/sign-in.ts'
import { onMessage } from './socket.ts'

export interface AskedConfirmation {
  confirmation: Confirmation
  /** Ends the wait: `true` when the owner has confirmed. */
  settle: (isConfirmed: boolean) => void
}

/** The change that waits for confirmation outside the browser; the dialog explains how to confirm it. */
export const useConfirmation = create<{ asked: AskedConfirmation | null }>(() => ({ asked: null }))

const NOT_CONFIRMED = new AppError('confirmation_required', { message: 'This was not confirmed, so nothing was done.' })

/** Sends a call that needs a confirmation again once the owner has confirmed it. Every call goes through here. */
export function confirming(send: Transport): Transport {
  const { getConfirmation: look } = createClient({ getConfirmation }, send)
  const waiting = new Map<string, Promise<boolean>>()
  const confirmed = ({ id, ...rest }: Confirmation, signal: AbortSignal | undefined): Promise<boolean> => {
    const known = waiting.get(id) // for example a plan and the start of the same run
    if (known) return known
    const isOpen = () => look({ params: { id } }).then(({ state }) => state !== 'confirmed', () => true) // prettier-ignore
    const wait = waitFor({ id, ...rest }, isOpen, signal).finally(() => waiting.delete(id))
    waiting.set(id, wait)
    return wait
  }
  return async (request) => {
    const response = await send(request)
    if (response.status !== 403) return response
    const { code, details } = await errorOf(response.clone())
    if (code !== 'confirmation_required') return response
    const { confirmation } = details as { confirmation: Confirmation } // as the server throws it
    if (await confirmed(confirmation, request.signal)) return send(request)
    request.signal?.throwIfAborted()
    throw NOT_CONFIRMED
  }
}

function waitFor(confirmation: Confirmation, isOpen: () => Promise<boolean>, signal: AbortSignal | undefined): Promise<boolean> {
  useConfirmation.getState().asked?.settle(false)
  return new Promise((resolve) => {
    // expired or unreachable: the dialog stays until it is closed
    const check = () => void isOpen().then((stillOpen) => stillOpen || settle(true))
    const stops = [
      onMessage('confirmation:confirmed', ({ id }) => id === confirmation.id && settle(true)),
      onMessage('hello', check), // messages missed while disconnected
    ]
    const giveUp = () => settle(false)
    const settle = (isConfirmed: boolean) => {
      for (const stop of stops) stop()
      signal?.removeEventListener('abort', giveUp)
      useConfirmation.setState({ asked: null })
      resolve(isConfirmed)
    }
    signal?.addEventListener('abort', giveUp)
    useConfirmation.setState({ asked: { confirmation, settle } })
  })
}
