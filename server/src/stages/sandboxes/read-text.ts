import { AppError } from '#contracts/errors.ts'
import type { Sandboxes } from './service.ts'

/** The text of a file in a sandbox; null if there is no such file. */
export async function readText<Larger>(
  sandboxes: Pick<Sandboxes, 'read'>,
  id: string,
  file: string,
  { mostBytes, ifLarger }: { mostBytes: number; ifLarger: Larger },
): Promise<string | Larger | null> {
  const stream = await sandboxes.read(id, file).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'path_refused') return null
    throw error
  })
  if (stream === null) return null
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += (part as Buffer).length
    if (bytes > mostBytes) return ifLarger
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}
