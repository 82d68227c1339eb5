import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { TrainerConfig } from '#contracts/trainer.ts'
import { placeBelow } from '#server/within.ts'

const REMOVED = '.removed-'
/** Rows that a run has a copy of, where the data are written for other programs. */
const COPIES = { train: 'train.jsonl', val: 'val.jsonl' }

/** Folders of runs below `models/`, each private to the user. */
export function runFolders(root: string) {
  const of = (id: string) => placeBelow(root, id)
  const aside = (id: string) => placeBelow(root, REMOVED + id)
  return {
    root,
    of,
    config: (id: string) => path.join(of(id), 'config.json'),
    log: (id: string) => path.join(of(id), 'training.log'),
    /** Makes the folder with its config. */
    async make(id: string, config: TrainerConfig): Promise<void> {
      fs.mkdirSync(of(id), { recursive: true, mode: 0o700 })
      fs.chmodSync(root, 0o700)
      await writeFileAtomic(path.join(of(id), 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
    },
    /** A requested action that the process before did not read any more. */
    clearRequestedAction: (id: string) => fs.rmSync(path.join(of(id), 'control.json'), { force: true }),
    /** A result that a killed trainer had saved, and not yet reported. */
    removeResult: (id: string) => fs.rmSync(path.join(of(id), 'final'), { recursive: true, force: true }),
    remove: (id: string) => fs.rmSync(of(id), { recursive: true, force: true }),
    /** Takes the folder out of its place in one step, so that a kill leaves the whole of it or nothing. */
    setAside(id: string): void {
      if (fs.existsSync(of(id))) fs.renameSync(of(id), aside(id))
    },
    removeAside: (id: string) => fs.rmSync(aside(id), { recursive: true, force: true }),
    /** What a killed process left: a removal that was not stored is taken back; the rest of others, and a run that was never stored, go. */
    sweep(isStored: (id: string) => boolean): void {
      if (!fs.existsSync(root)) return
      for (const name of fs.readdirSync(root)) {
        const id = name.startsWith(REMOVED) ? name.slice(REMOVED.length) : null
        if (id !== null && isStored(id) && !fs.existsSync(of(id))) fs.renameSync(aside(id), of(id))
        else if (id !== null) fs.rmSync(aside(id), { recursive: true, force: true })
        else if (!name.startsWith('.') && !isStored(name) && holdsOnlyConfig(of(name))) fs.rmSync(of(name), { recursive: true })
      }
    },
    size: (id: string) => sizeOf(of(id)),
  }
}
export type RunFolders = ReturnType<typeof runFolders>

/** Paths of the copies of rows in the folder of a run. */
export const copiesIn = (folder: string, { val }: { val: string | null }) => ({
  train: path.join(folder, COPIES.train),
  val: val && path.join(folder, COPIES.val),
})

function holdsOnlyConfig(folder: string): boolean {
  const begun = new Set(['config.json', ...Object.values(COPIES)])
  return fs.statSync(folder).isDirectory() && fs.readdirSync(folder).every((name) => begun.has(name))
}

/** Bytes of the files in a folder; links count by themselves. */
export function sizeOf(folder: string): number {
  let bytes = 0
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return 0
  }
  for (const entry of entries) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) bytes += sizeOf(place)
    else bytes += fs.lstatSync(place, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** The end of a text file, from a whole line on. */
export function tailOf(file: string, bytes = 4096): string {
  let handle: number
  try {
    handle = fs.openSync(file, 'r')
  } catch {
    return ''
  }
  try {
    const { size } = fs.fstatSync(handle)
    const from = Math.max(0, size - bytes)
    const buffer = Buffer.alloc(size - from)
    const read = fs.readSync(handle, buffer, 0, buffer.length, from)
    const text = buffer.toString('utf8', 0, read)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    fs.closeSync(handle)
  }
}
