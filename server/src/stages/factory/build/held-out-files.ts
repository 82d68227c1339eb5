import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { textsOfItem, type HeldOutItem } from '../curate/held-out.ts'
import { readLines } from './lines.ts'

/** A regular file that can be read, by its absolute path; devices, pipes and folders are refused before anything opens them. */
export function requireFile(given: string, what: string): string {
  const refuse = (why: string) => new AppError('path_refused', { message: `${what} ${given} cannot be read: ${why}.` })
  if (!path.isAbsolute(given)) throw refuse('the path is not absolute')
  try {
    if (!fs.statSync(given).isFile()) throw refuse('it is no regular file')
    fs.accessSync(given, fs.constants.R_OK)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse((error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'your user may not read it')
  }
  return given
}

/** Items of JSONL files, each named by file and line. A line that is no JSON is refused with its place: nothing of an exam may be passed over. */
export function readHeldOut(files: readonly string[]): HeldOutItem[] {
  return files.flatMap((file) => {
    const items: HeldOutItem[] = []
    let number = 0
    for (const { text } of readLines(file)) {
      number += 1
      if (text.trim() === '') continue
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch (cause) {
        throw new AppError('path_refused', {
          message: `${file}, line ${number}: this is no JSON. Each line holds one held-out item.`,
          cause,
        })
      }
      items.push({ name: `${path.basename(file)}:${number}`, texts: textsOfItem(value) })
    }
    return items
  })
}
