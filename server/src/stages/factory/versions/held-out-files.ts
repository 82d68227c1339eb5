import { parseShallow } from '#server/shallow-json.ts'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { textsOfItem, type HeldOutItem } from '../curate/held-out.ts'
import { readOutsideLines } from '#server/adapters/outside-rows/lines.ts'

/** Items of JSONL files, each named by file and line. Throws at an invalid line, because no held-out item may be skipped. */
export function readHeldOut(files: readonly string[]): HeldOutItem[] {
  return files.flatMap((file) => {
    const items: HeldOutItem[] = []
    let number = 0
    for (const { text, isUtf8 } of readOutsideLines(file)) {
      number += 1
      if (text.trim() === '') continue
      if (!isUtf8)
        throw new AppError('path_refused', {
          message: `${file}, line ${number}: not valid UTF-8, so rows cannot be compared with it. If the file is Latin-1, convert it first: iconv -f latin1 -t utf-8.`,
        })
      let value: unknown
      try {
        value = parseShallow(text).value
      } catch (cause) {
        throw new AppError('path_refused', {
          message: `${file}, line ${number}: not valid JSON. Each line must contain one held-out item.`,
          cause,
        })
      }
      items.push({ name: `${path.basename(file)}:${number}`, texts: textsOfItem(value) })
    }
    return items
  })
}
