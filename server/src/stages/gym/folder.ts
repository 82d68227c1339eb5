import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { TrainerConfig } from '#contracts/trainer.ts'
import { placeBelow } from '#server/within.ts'

const REMOVED = '.removed-'
/** Copies of rows: for data in another program's format, and for mixes. */
const COPIES = { train: 'train.jsonl', val: 'val.jsonl' }

/** Folders of runs below `models/`, each private to the user. */
export function runFolders(root: string) {
  const folderOf = (id: string) => placeBelow(root, id)
  const asideOf = (id: string) => placeBelow(root, REMOVED + id)
  return {
    root,
    of: folderOf,
    config: (id: string) => path.join(folderOf(id), 'config.json'),
    log: (id: string) => path.join(folderOf(id), 'training.log'),
    /** Makes the folder with its config. */
    async make(id: string, config: TrainerConfig): Promise<void> {
      fs.mkdirSync(folderOf(id), { recursive: true, mode: 0o700 })
      fs.chmodSync(root, 0o700)
      await writeFileAtomic(path.join(folderOf(id), 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
    },
    /** Removes a requested action that the previous process ended without reading. */
    clearRequestedAction: (id: string) => fs.rmSync(path.join(folderOf(id), 'control.json'), { force: true }),
    /** Removes a result that a killed trainer saved but did not report. */
    removeResult: (id: string) => fs.rmSync(path.join(folderOf(id), 'final'), { recursive: true, force: true }),
    remove: (id: string) => fs.rmSync(folderOf(id), { recursive: true, force: true }),
    /** Moves the folder away in one step, so that a kill cannot leave half a folder. */
    setAside(id: string): void {
      if (fs.existsSync(folderOf(id))) fs.renameSync(folderOf(id), asideOf(id))
    },
    removeAside: (id: string) => fs.rmSync(asideOf(id), { recursive: true, force: true }),
    /** Cleans up after a killed process: restores the folders of runs that are still stored, and removes set-aside folders and those of runs that were never stored. */
    sweep(isStored: (id: string) => boolean): void {
      if (!fs.existsSync(root)) return
      for (const name of fs.readdirSync(root)) {
        const id = name.startsWith(REMOVED) ? name.slice(REMOVED.length) : null
        if (id !== null && isStored(id) && !fs.existsSync(folderOf(id))) fs.renameSync(asideOf(id), folderOf(id))
        else if (id !== null) fs.rmSync(asideOf(id), { recursive: true, force: true })
        else if (!name.startsWith('.') && !isStored(name) && holdsOnlyConfig(folderOf(name))) fs.rmSync(folderOf(name), { recursive: true })
      }
    },
    size: (id: string) => sizeOf(folderOf(id)),
  }
}
export type RunFolders = ReturnType<typeof runFolders>

/** Paths of the copies of rows in the folder of a run. */
export const copyPathsIn = (folder: string, { val }: { val: string | null }) => ({
  train: path.join(folder, COPIES.train),
  val: val && path.join(folder, COPIES.val),
})

function holdsOnlyConfig(folder: string): boolean {
  const preparedNames = new Set(['config.json', ...Object.values(COPIES)])
  return fs.statSync(folder).isDirectory() && fs.readdirSync(folder).every((name) => preparedNames.has(name))
}

/** Bytes of the files in a folder. A link counts as its own size, not its target's. */
export function sizeOf(folder: string): number {
  let bytes = 0
  let entries: fs.Dirent[]
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    return 0
  }
  for (const entry of entries) {
    const entryPath = path.join(folder, entry.name)
    if (entry.isDirectory()) bytes += sizeOf(entryPath)
    else bytes += fs.lstatSync(entryPath, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** The last whole lines of a text file. */
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
    const bytesRead = fs.readSync(handle, buffer, 0, buffer.length, from)
    const text = buffer.toString('utf8', 0, bytesRead)
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1)
  } finally {
    fs.closeSync(handle)
  }
}
