/** Creates the folders of machines with a record of their owner process, and removes them after that process has died. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { birthOf, isGone, type ProcessMark } from '#server/process/marks.ts'
import type { MachineSpec } from '../sandbox/machine.ts'
import { endProcessesIn } from './leftovers.ts'
import type { MachineFolders } from './machine-root.ts'
import { deleteTrees, treeBytes } from './trees.ts'
import { insideUser, type BubblewrapTools } from './launch.ts'

/** On disk, writable for every user, and without user names, because programs inside can read the path. */
const PARENT = '/var/tmp'
/** A folder without a record is being created; if it is older than this, its creator died. */
const UNFINISHED_MS = 60_000
const RECORD = 'machine.json'

export interface Box extends MachineFolders {
  /** Contains `root` and `shared`. */
  folder: string
  /** Its files stay under its name. Call when no program runs in it. */
  leave(): void
  remove(): Promise<void>
}

interface BoxRecord {
  owner: ProcessMark
  folder: string
  id: string
  labels: Record<string, string>
  /** The name under which its files stay; null or missing if they do not. */
  leftAs?: string | null
  /** A machine with another profile cannot go on with its files. */
  profile?: MachineSpec['profile']
  /** Whether its owner, which may be alive, has left it. */
  isLeft?: boolean
}

const ownMark = (): ProcessMark => ({ pid: process.pid, born: birthOf(process.pid)! }) // this process is alive

/** `records`: a folder in which each machine gets a subfolder with the owner's mark; it is not visible inside. */
export function createBox(tools: BubblewrapTools, records: string, spec: Pick<MachineSpec, 'id' | 'labels' | 'leftAs' | 'profile'>): Box {
  const { id, labels, leftAs = null, profile } = spec
  const name = randomBytes(4).toString('hex')
  const record = path.join(records, name)
  const folder = path.join(PARENT, name)
  const content: BoxRecord = { owner: ownMark(), folder, id, labels, leftAs, profile }
  fs.mkdirSync(records, { recursive: true, mode: 0o700 })
  const unfinished = unfinishedOf(record)
  fs.mkdirSync(unfinished, { mode: 0o700 })
  writeRecord(unfinished, content)
  fs.renameSync(unfinished, record)
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    const user = insideUser()
    if (user) fs.chownSync(folder, user.uid, user.gid)
  } catch (error) {
    fs.rmSync(record, { recursive: true })
    throw error
  }
  return boxOf(tools, record, content)
}

function boxOf(tools: BubblewrapTools, record: string, content: BoxRecord): Box {
  const { folder } = content
  return {
    folder,
    root: path.join(folder, 'r'),
    shared: path.join(folder, 's'),
    leave: () => writeRecord(record, { ...content, isLeft: true }),
    remove: () => removeBox(tools, record, folder),
  }
}

/** The box that was left under the name of `spec`, which belongs to this process from now on; null if there is none. */
export async function takeOverBox(
  tools: BubblewrapTools,
  records: string,
  { id, labels, leftAs, profile }: Pick<MachineSpec, 'id' | 'labels' | 'leftAs' | 'profile'>,
): Promise<Box | null> {
  for (const { record, box } of leftAs ? leftBoxes(records, leftAs) : []) {
    if (box.profile !== profile || !isOwnFolder(box.folder)) continue
    const content: BoxRecord = { owner: ownMark(), folder: box.folder, id, labels, leftAs, profile }
    writeRecord(record, content)
    await endProcessesIn(box.folder)
    return boxOf(tools, record, content)
  }
  return null
}

/** Deletes the boxes that were left under a name. */
export async function forgetBoxes(tools: BubblewrapTools, records: string, leftAs: string): Promise<void> {
  for (const { record, box } of leftBoxes(records, leftAs)) {
    await endProcessesIn(box.folder)
    await removeBox(tools, record, box.folder)
  }
}

const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])

/** Where a process prepares or deletes a record; the next sweep deletes it if the process was killed meanwhile. */
const unfinishedOf = (record: string): string => path.join(path.dirname(record), `.${process.pid}-${path.basename(record)}`)
const UNFINISHED = /^\.(\d+)-/

function removeUnfinished(records: string): void {
  for (const name of namesIn(records)) {
    const pid = UNFINISHED.exec(name)?.[1]
    if (pid !== undefined && birthOf(Number(pid)) === null) fs.rmSync(path.join(records, name), { recursive: true, force: true })
  }
}

/** The names under which boxes were left, with their bytes on disk; null if these are unknown. */
export async function measureLeft(tools: BubblewrapTools, records: string): Promise<Map<string, number | null>> {
  const left = allLeft(records).filter(({ box }) => isOwnFolder(box.folder))
  const bytes = left.length === 0 ? [] : await treeBytes(tools, left.map(({ box }) => box.folder)) // prettier-ignore
  return new Map(left.map(({ box }, index) => [box.leftAs, bytes[index] ?? null]))
}

const leftBoxes = (records: string, leftAs: string) => allLeft(records).filter(({ box }) => box.leftAs === leftAs)

/** The boxes with a name whose owner has died or left them. */
function allLeft(records: string): { record: string; box: BoxRecord & { leftAs: string } }[] {
  return namesIn(records).flatMap((name) => {
    if (UNFINISHED.test(name)) return []
    const record = path.join(records, name)
    const box = recordOf(record)
    if (!box?.leftAs || !(box.isLeft === true || isGone(box.owner))) return []
    return [{ record, box: { ...box, leftAs: box.leftAs } }]
  })
}

/** Removes the boxes whose owner process has ended, except those with a name that is needed; returns their number. */
export async function sweepBoxes(tools: BubblewrapTools, records: string, isNeeded: (name: string) => boolean): Promise<number> {
  let removed = 0
  removeUnfinished(records)
  for (const name of namesIn(records)) {
    if (UNFINISHED.test(name)) continue
    const record = path.join(records, name)
    const box = recordOf(record)
    if (box?.leftAs && isNeeded(box.leftAs)) continue
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

/** Replaces it as a whole, so that a killed process leaves no half of one. */
function writeRecord(record: string, content: BoxRecord): void {
  const temporary = path.join(record, 'new')
  fs.writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 })
  fs.renameSync(temporary, path.join(record, RECORD))
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
  if (isOwnFolder(folder)) await deleteTrees(tools, [folder])
  const unfinished = unfinishedOf(record)
  try {
    fs.renameSync(record, unfinished)
  } catch {} // somebody else has removed it
  await fs.promises.rm(unfinished, { recursive: true, force: true })
}

/** Another user of this machine may have put a link or a folder in its place. */
function isOwnFolder(folder: string): boolean {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  const uid = insideUser()?.uid ?? process.getuid!() // exists on Linux
  return stat?.isDirectory() === true && (stat.uid === uid || stat.uid === process.getuid!())
}
