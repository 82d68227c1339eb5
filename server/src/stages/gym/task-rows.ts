import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { placeBelow } from '#server/within.ts'
import type { TaskFiles } from './materials.ts'

const FOLDER = '.shell-tasks'

/** Writes the rows of shell tasks to one file per split, because rows are measured from files and cached by file time. */
export const createTaskFiles = (
  models: string,
  { rows, limit }: { rows: (split: string, use: 'train' | 'held out') => readonly object[]; limit: () => number },
): TaskFiles => ({
  limit,
  file(split, use) {
    const place = placeBelow(models, FOLDER, `${split}.jsonl`)
    const text = rows(split, use).map((row) => `${JSON.stringify(row)}\n`).join('') // prettier-ignore
    if (fs.existsSync(place) && fs.readFileSync(place, 'utf8') === text) return place
    fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    writeFileAtomic.sync(place, text, { mode: 0o600 })
    return place
  },
})
