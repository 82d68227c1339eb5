import { ForeignFileError, ForeignFolder } from '#server/foreign/index.ts'
import type { StoredFile } from './stored-files.ts'

/** How many files are read at once, if they are small. */
const AHEAD = 16
const SMALL_BYTES = 1024 * 1024
const MAX_BYTES = 2 ** 31 - 1
const OWNER_EXECUTES = 0o100

/** A file that was not read. */
export interface Unread {
  name: string
  /** A sentence without its full stop, the same for all files with the same cause. */
  why: string
}

/**
 * Reads files and links of a folder as git sees them: what is below a link does not exist. `names` are paths below the folder.
 * `root`: a path without links. Deleted files are skipped; `onUnread` gets other files that are not read.
 */
export async function* readPlainFiles(
  root: string,
  names: readonly string[],
  onUnread: (file: Unread) => void,
): AsyncGenerator<StoredFile, void> {
  const folder = new ForeignFolder(root, { isJudged: true })
  const started: Promise<StoredFile | ForeignFileError>[] = []
  let next = 0
  try {
    for (const name of names) {
      while (started.length < AHEAD && next < names.length) {
        const reading = read(folder, names[next++]!, SMALL_BYTES)
        reading.catch(() => {}) // it is awaited in its turn
        started.push(reading)
      }
      let file = await started.shift()!
      if (file instanceof ForeignFileError && file.code === 'too_large') file = await read(folder, name, MAX_BYTES)
      if (!(file instanceof ForeignFileError)) yield file
      else {
        const why = await whyUnread(folder, name, file)
        if (why !== null) onUnread({ name, why })
      }
    }
  } finally {
    await Promise.allSettled(started)
    await folder.close()
  }
}

async function read(folder: ForeignFolder, name: string, limitBytes: number): Promise<StoredFile | ForeignFileError> {
  try {
    const { content, mode } = await folder.readFile(name, limitBytes)
    return { name, mode: mode & OWNER_EXECUTES ? '100755' : '100644', content }
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.code !== 'link') return error
    return folder.readLink(name).then(
      (target) => ({ name, mode: '120000', content: Buffer.from(target) }),
      (reason: unknown) => {
        if (reason instanceof ForeignFileError) return reason
        if ((reason as NodeJS.ErrnoException).code === 'EINVAL') return error // it was a link a moment ago
        throw reason
      },
    )
  }
}

/** Null if the file was deleted. Throws if the folder itself cannot be read. */
async function whyUnread(folder: ForeignFolder, name: string, error: ForeignFileError): Promise<string | null> {
  const { code, file } = error
  if (file === '' || code === 'slow') throw error
  if (code === 'missing') return name.includes('\uFFFD') ? 'Names that are not UTF-8 are not read' : null
  if (code === 'folder') return null
  if (code !== 'not_a_folder') return error.message
  const above = await folder.find(file)
  return above?.kind === 'link' ? `${file} is a link, and links are not followed` : null
}
