import { create } from 'zustand'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from './client.ts'
import { onMessage } from './socket.ts'

export interface AskedConfirmation {
  confirmation: Confirmation
  /** Ends the wait: `true` when the owner has confirmed. */
  settle: (isConfirmed: boolean) => void
}

/** The change that waits for confirmation outside the browser; the dialog explains how to confirm it. */
export const useConfirmation = create<{ asked: AskedConfirmation | null }>(() => ({ asked: null }))

/** Calls `act`, which may need a confirmation; if so, waits for it and calls `act` again. */
export async function confirmed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'confirmation_required') throw error
    const { confirmation } = error.details as { confirmation: Confirmation } // as the server throws it
    if (await wait(confirmation)) return act()
    throw new AppError('confirmation_required', { message: 'The change was not confirmed.', cause: error })
  }
}

function wait(confirmation: Confirmation): Promise<boolean> {
  useConfirmation.getState().asked?.settle(false)
  return new Promise((resolve) => {
    const check = () =>
      void api.getConfirmation({ params: { id: confirmation.id } }).then(
        ({ state }) => state === 'confirmed' && settle(true),
        () => undefined, // expired or unreachable: the dialog stays until it is closed
      )
    const stops = [
      onMessage('confirmation:confirmed', ({ id }) => id === confirmation.id && settle(true)),
      onMessage('hello', check), // messages missed while disconnected
    ]
    const settle = (isConfirmed: boolean) => {
      for (const stop of stops) stop()
      useConfirmation.setState({ asked: null })
      resolve(isConfirmed)
    }
    useConfirmation.setState({ asked: { confirmation, settle } })
  })
}
