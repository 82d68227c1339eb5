/** Creates the folders of machines with a record of their owner process, and removes them after that process has died. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { birthOf, isGone, type ProcessMark } from '#server/process/marks.ts'
import type { MachineFolders } from './machine-root.ts'
import { deleteTrees } from './trees.ts'
import { insideUser, type BubblewrapTools } from './launch.ts'

/** On disk, writable for every user, and without user names, because programs inside can read the path. */
const PARENT = '/var/tmp'
/** A folder without a record is being created; if it is older than this, its creator died. */
const UNFINISHED_MS = 60_000
const RECORD = 'machine.json'

export interface Box extends MachineFolders {
  /** Contains `root` and `shared`. */
  folder: string
  remove(): Promise<void>
}

interface BoxRecord {
  owner: ProcessMark
  folder: string
  id: string
  labels: Record<string, string>
}

/** `records`: a folder in which each machine gets a subfolder with the owner's mark; it is not visible inside. */
export function createBox(tools: BubblewrapTools, records: string, { id, labels }: Pick<BoxRecord, 'id' | 'labels'>): Box {
  const name = randomBytes(4).toString('hex')
  const record = path.join(records, name)
  const folder = path.join(PARENT, name)
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
    remove: () => removeBox(tools, record, folder),
  }
}

/** Removes the boxes whose owner process has ended; returns their number. */
export async function sweepBoxes(tools: BubblewrapTools, records: string): Promise<number> {
  const names = fs.existsSync(records) ? fs.readdirSync(records) : []
  let removed = 0
  for (const name of names) {
    const record = path.join(records, name)
    const box = recordOf(record)
    if (box === null) {
      const born = fs.statSync(record, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - born > UNFINISHED_MS) fs.rmSync(record, { recursive: true, force: true })
    } else if (isGone(box.owner)) {
      await removeBox(tools, record, box.folder)
      removed += 1
    }
  }
  return removed
}

function recordOf(record: string): BoxRecord | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(record, RECORD), 'utf8')) as BoxRecord // written by createBox
  } catch {
    return null
  }
}

/** Removes the record last, so that the next sweep completes an interrupted removal. */
async function removeBox(tools: BubblewrapTools, record: string, folder: string): Promise<void> {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  const uid = insideUser()?.uid ?? process.getuid!() // exists on Linux
  if (stat?.isDirectory() && (stat.uid === uid || stat.uid === process.getuid!())) await deleteTrees(tools, [folder])
  fs.rmSync(record, { recursive: true, force: true })
}
