import { AppError } from '#contracts/errors.ts'
import type { Context } from '../../command.ts'
import type { Sandboxes, Spec } from './sandboxes.ts'

/** Creates and starts a sandbox for `work` and always removes it afterwards. A signal removes it at once and ends its programs. */
export async function withSandbox<T>(context: Context, sandboxes: Sandboxes, spec: Spec, work: (id: string) => Promise<T>): Promise<T> {
  const { signal } = context
  const { id } = await sandboxes.create(spec, { keep: false })
  let removed: Promise<unknown> | null = null
  const remove = () =>
    (removed ??= sandboxes.stop(id, true).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'sandbox_not_found') return
      context.note(`The sandbox ${id} could not be removed: ${error instanceof Error ? error.message : String(error)}`)
    }))
  const onAbort = () => void remove()
  signal.addEventListener('abort', onAbort)
  try {
    signal.throwIfAborted()
    await sandboxes.start(id, true, signal)
    return await work(id)
  } catch (error) {
    signal.throwIfAborted() // the removal caused this error, so report the signal instead
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    await remove()
  }
}
