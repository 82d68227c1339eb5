import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { isWithin } from './within.ts'

/** Files with rows. Other files of the data directory may contain keys. */
const ROW_FILE = /\.(?:jsonl|parquet)$/

/**
 * Requires an absolute path, without links, of a readable regular file. Devices, pipes and folders are refused before
 * they are opened. So are files that may contain keys, because a signed-in browser could read them as rows.
 */
export function requireFile(requested: string, what: string, dataDir: string): string {
  const refuse = (reason: string) => new AppError('path_refused', { message: `Can't read ${what} ${requested}: ${reason}.` })
  if (!path.isAbsolute(requested)) throw refuse('the path is not absolute')
  try {
    if (!fs.statSync(requested).isFile()) throw refuse('it is not a regular file')
    fs.accessSync(requested, fs.constants.R_OK)
    const [file, root] = [fs.realpathSync(requested), fs.realpathSync(dataDir)]
    if (isWithin(root, file) && !ROW_FILE.test(file))
      throw refuse('it is in the data directory, where only .jsonl and .parquet files contain rows')
    if (path.basename(file).startsWith('.')) throw refuse('hidden files may contain keys; copy it under another name')
    if (file !== path.resolve(requested)) throw refuse('the path contains a link; use the path of the file itself') // links may change
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'your user may not read it')
  }
  return requested
}
