/** Folders of machines: what a machine needs on disk, who owns it, and what is left when that process dies. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { birthOf, isGone, type ProcessMark } from '#server/process/marks.ts'
import type { MachineFolders } from './machine-root.ts'
import { deleteTrees } from './trees.ts'
import { insideUser, type Means } from './launch.ts'

/** On disk, writable for everybody, and short: the path of a machine's files can be read inside it. */
const PLACE = '/var/tmp'
/** A folder without a record is one that is being made, or whose maker died at that moment. */
const UNFINISHED_MS = 60_000
const RECORD = 'machine.json'

export interface Box extends MachineFolders {
  /** Holds both. */
  folder: string
  remove(): Promise<void>
}

interface BoxRecord {
  owner: ProcessMark
  folder: string
  id: string
  labels: Record<string, string>
}

/** `records`: the folder in which each machine has one of its own, with the owner's mark; it is never seen inside. */
export function createBox(means: Means, records: string, { id, labels }: Pick<BoxRecord, 'id' | 'labels'>): Box {
  const name = randomBytes(4).toString('hex')
  const record = path.join(records, name)
  const folder = path.join(PLACE, name)
  const owner = { pid: process.pid, born: birthOf(process.pid)! } // this process is alive
  fs.mkdirSync(records, { recursive: true, mode: 0o700 })
  fs.mkdirSync(record, { mode: 0o700 })
  fs.writeFileSync(path.join(record, RECORD), JSON.stringify({ owner, folder, id, labels } satisfies BoxRecord), {
    mode: 0o600,
    flag: 'wx',
  })
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    const user = insideUser()
    if (user) fs.chownSync(folder, user.uid, user.gid)
  } catch (error) {
    fs.rmSync(record, { recursive: true })
    throw error
  }
  return {
    folder,
    root: path.join(folder, 'r'),
    shared: path.join(folder, 's'),
    remove: () => removeBox(means, record, folder),
  }
}

/** Removes the boxes of owners that no longer exist; how many. */
export async function sweepBoxes(means: Means, records: string): Promise<number> {
  const names = fs.existsSync(records) ? fs.readdirSync(records) : []
  let swept = 0
  for (const name of names) {
    const record = path.join(records, name)
    const box = recordOf(record)
    if (box === null) {
      const born = fs.statSync(record, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - born > UNFINISHED_MS) fs.rmSync(record, { recursive: true, force: true })
    } else if (isGone(box.owner)) {
      await removeBox(means, record, box.folder)
      swept += 1
    }
  }
  return swept
}

function recordOf(record: string): BoxRecord | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(record, RECORD), 'utf8')) as BoxRecord // written by createBox
  } catch {
    return null
  }
}

/** The record goes last: what is interrupted is done by the next sweep. */
async function removeBox(means: Means, record: string, folder: string): Promise<void> {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  const uid = insideUser()?.uid ?? process.getuid!() // this runs on Linux
  if (stat?.isDirectory() && (stat.uid === uid || stat.uid === process.getuid!())) await deleteTrees(means, [folder])
  fs.rmSync(record, { recursive: true, force: true })
}
