import { EventEmitter, once } from 'node:events'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { watchFolder } from '#server/runs/follow.ts'
import { beyondTheEnd } from '#server/streams/ring.ts'
import type { Source } from '#server/streams/source.ts'

/** Some file systems do not report an append: then the file is checked this often. */
const LOOK_MS = 1000

/** The bytes of a log file from `from` on, with what is appended, until `isOver` and all of it is read. */
export async function openLog(file: string, from: number, isOver: () => boolean): Promise<Source> {
  const { size } = (await fs.stat(file).catch(ifAbsent)) ?? { size: 0 }
  if (from > size) throw beyondTheEnd(from, size)
  const news = new EventEmitter()
  let hasNews = false
  const look = () => {
    hasNews = true
    news.emit('news')
  }
  const watcher = watchFolder(path.dirname(file), look)
  const timer = setInterval(look, LOOK_MS).unref()
  let handle: FileHandle | null = null
  let at = from

  return {
    async read(most, signal) {
      for (;;) {
        hasNews = false
        const isLast = isOver() // asked before the read: what was written until the end is read
        handle ??= (await fs.open(file, 'r').catch(ifAbsent)) ?? null
        const { bytesRead, buffer } = (await handle?.read(Buffer.allocUnsafe(most), 0, most, at)) ?? { bytesRead: 0, buffer: null }
        if (buffer && bytesRead > 0) {
          at += bytesRead
          return { offset: at - bytesRead, bytes: buffer.subarray(0, bytesRead) }
        }
        if (isLast) return null
        if (!hasNews) await once(news, 'news', { signal })
      }
    },
    async close() {
      clearInterval(timer)
      watcher?.close()
      await handle?.close()
    },
  }
}

/** The trainer has not printed anything so far. */
function ifAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
