import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { isWithin } from './within.ts'

/** In the data directory, names of files that hold rows; keys lie there under others. */
const ROWS = /\.(?:jsonl|parquet)$/

/**
 * A regular file that can be read, by its absolute path without links; devices, pipes and folders are refused before anything opens them.
 * So are places where programs keep keys: anyone who has a session of a browser could read them as rows.
 */
export function requireFile(given: string, what: string, dataDir: string): string {
  const refuse = (why: string) => new AppError('path_refused', { message: `Can't read ${what} ${given}: ${why}.` })
  if (!path.isAbsolute(given)) throw refuse('the path is not absolute')
  try {
    if (!fs.statSync(given).isFile()) throw refuse('it is no regular file')
    fs.accessSync(given, fs.constants.R_OK)
    const [file, root] = [fs.realpathSync(given), fs.realpathSync(dataDir)]
    if (isWithin(root, file) && !ROWS.test(file))
      throw refuse('it is in the data directory, where only .jsonl and .parquet files hold rows')
    if (path.basename(file).startsWith('.')) throw refuse('it is a hidden file, and those may hold keys; copy it under another name')
    if (file !== path.resolve(given)) throw refuse('a link leads to it; give the path of the file itself') // links may change
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'your user may not read it')
  }
  return given
}
