/** Files of machines, kept under a name: a folder each. A name appears only when all of its files are there. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { birthOf, isGone } from '#server/process/marks.ts'
import type { MachineSpec, Snapshot, SnapshotRequest } from '../sandbox/machine.ts'
import { NotRun } from '../sandbox/types.ts'
import type { Means } from './launch.ts'
import type { MachineFolders } from './machine-root.ts'
import { copyTrees, deleteTrees, treeBytes } from './trees.ts'

const RECORD = 'snapshot.json'
/** Being made or removed by a process, whose mark it carries. */
const PART = /^\.(\d+)-([0-9a-f]+)-[0-9a-f]{8}$/

export interface SnapshotStore {
  list(): Snapshot[]
  /** Throws `NotRun` if there is none of this name. */
  require(name: string): Snapshot
  take(request: SnapshotRequest, from: MachineFolders & { spec: MachineSpec }): Promise<Snapshot>
  /** Into folders that are not there yet. */
  copyTo(name: string, to: MachineFolders): Promise<void>
  /** False if there was none. */
  remove(name: string): Promise<boolean>
  /** Removes what processes that no longer exist left half done. */
  sweep(): Promise<void>
}

export function openSnapshots(means: Means, folder: string): SnapshotStore {
  const places = (name: string) => [path.join(folder, name, 'r'), path.join(folder, name, 's')] as const
  const part = () =>
    path.join(folder, `.${process.pid}-${Buffer.from(birthOf(process.pid)!).toString('hex')}-${randomBytes(4).toString('hex')}`) // this process is alive
  const names = () => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
  const read = (name: string): Snapshot[] => {
    try {
      return [JSON.parse(fs.readFileSync(path.join(folder, name, RECORD), 'utf8')) as Snapshot] // written by take
    } catch {
      return [] // removed meanwhile
    }
  }
  const list = () => names().filter((name) => !name.startsWith('.')).flatMap(read).toSorted((a, b) => b.createdAt - a.createdAt) // prettier-ignore
  return {
    list,
    require(name) {
      const found = list().find((one) => one.name === name)
      if (!found)
        throw new NotRun(
          'image_unavailable',
          `image: bubblewrap has the programs of this machine, as "host", and its snapshots; there is no ${JSON.stringify(name)}.`,
        )
      return found
    },
    async take({ name, mostBytes }, { root, shared, spec }) {
      const bytes = (await treeBytes(means, [root, shared])).reduce<number>((sum, one) => sum + (one ?? 0), 0)
      if (bytes > mostBytes)
        throw new NotRun('invalid_request', `The files of the machine take ${bytes} bytes; ${mostBytes} are left for snapshots.`)
      const made = part()
      const snapshot: Snapshot = { name, profile: spec.profile, bytes, createdAt: Date.now(), machine: spec.id }
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      fs.mkdirSync(made, { mode: 0o700 })
      try {
        await copyTrees(means, [root, shared], made)
        fs.writeFileSync(path.join(made, RECORD), JSON.stringify(snapshot), { mode: 0o600, flag: 'wx' })
        fs.renameSync(made, path.join(folder, name)) // fails if the name is taken
        return snapshot
      } catch (error) {
        await deleteTrees(means, [made])
        throw error
      }
    },
    copyTo: (name, { root }) => copyTrees(means, places(name), path.dirname(root)),
    async remove(name) {
      if (read(name).length === 0) return false
      const gone = part()
      fs.renameSync(path.join(folder, name), gone)
      await deleteTrees(means, [gone])
      return true
    },
    async sweep() {
      const left = names().filter((name) => {
        const [, pid, born] = PART.exec(name) ?? []
        return pid !== undefined && isGone({ pid: Number(pid), born: Buffer.from(born!, 'hex').toString() })
      })
      if (left.length > 0) await deleteTrees(means, left.map((name) => path.join(folder, name))) // prettier-ignore
    },
  }
}
