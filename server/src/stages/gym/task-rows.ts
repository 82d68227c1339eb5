import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { placeBelow } from '#server/within.ts'
import type { TaskPlaces } from './materials.ts'

const FOLDER = '.shell-tasks'

/** Rows of shell tasks as files, a split each: what measures rows reads files, and knows them by their time. */
export const createTaskPlaces = (
  models: string,
  { rows, places }: { rows: (split: string, use: 'train' | 'held out') => readonly object[]; places: () => number },
): TaskPlaces => ({
  places,
  file(split, use) {
    const place = placeBelow(models, FOLDER, `${split}.jsonl`)
    const text = rows(split, use).map((row) => `${JSON.stringify(row)}\n`).join('') // prettier-ignore
    if (fs.existsSync(place) && fs.readFileSync(place, 'utf8') === text) return place
    fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    writeFileAtomic.sync(place, text, { mode: 0o600 })
    return place
  },
})
