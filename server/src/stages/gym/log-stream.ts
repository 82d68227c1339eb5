import { EventEmitter, once } from 'node:events'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { watchFolder } from '#server/runs/follow.ts'
import { beyondTheEnd } from '#server/streams/ring.ts'
import type { Source } from '#server/streams/source.ts'

/** Some file systems do not report an append, so the file is also checked this often. */
const POLL_MS = 1000

/** The bytes of a growing log file from offset `from`. Ends when `isOver` is true and everything was read. */
export async function openLog(file: string, from: number, isOver: () => boolean): Promise<Source> {
  const { size } = (await fs.stat(file).catch(ifAbsent)) ?? { size: 0 }
  if (from > size) throw beyondTheEnd(from, size)
  const changes = new EventEmitter()
  let hasChanged = false
  const notify = () => {
    hasChanged = true
    changes.emit('news')
  }
  const watcher = watchFolder(path.dirname(file), notify)
  const timer = setInterval(notify, POLL_MS).unref()
  let handle: FileHandle | null = null
  let offset = from

  return {
    async read(most, signal) {
      for (;;) {
        hasChanged = false
        const isLast = isOver() // before the read, so that nothing written until the end is missed
        handle ??= (await fs.open(file, 'r').catch(ifAbsent)) ?? null
        const { bytesRead, buffer } = (await handle?.read(Buffer.allocUnsafe(most), 0, most, offset)) ?? { bytesRead: 0, buffer: null }
        if (buffer && bytesRead > 0) {
          offset += bytesRead
          return { offset: offset - bytesRead, bytes: buffer.subarray(0, bytesRead) }
        }
        if (isLast) return null
        if (!hasChanged) await once(changes, 'news', { signal })
      }
    },
    async close() {
      clearInterval(timer)
      watcher?.close()
      await handle?.close()
    },
  }
}

/** The log file is missing until the trainer prints something. */
function ifAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
