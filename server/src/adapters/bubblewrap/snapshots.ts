/** Snapshots: files of machines, each in a folder with the snapshot's name, which appears only when all files are complete. */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { birthOf, isGone } from '#server/process/marks.ts'
import type { MachineSpec, Snapshot, SnapshotRequest } from '../sandbox/machine.ts'
import { NotRun } from '../sandbox/types.ts'
import type { BubblewrapTools } from './launch.ts'
import type { MachineFolders } from './machine-root.ts'
import { copyTrees, deleteTrees, treeBytes } from './trees.ts'

const RECORD = 'snapshot.json'
/** Name of a folder that is being created or removed; it contains the mark of the process that does so. */
const TEMPORARY = /^\.(\d+)-([0-9a-f]+)-[0-9a-f]{8}$/

export interface SnapshotStore {
  list(): Snapshot[]
  /** Throws `NotRun` if no snapshot has this name. */
  require(name: string): Snapshot
  save(request: SnapshotRequest, from: MachineFolders & { spec: MachineSpec }): Promise<Snapshot>
  /** Copies into folders that do not exist yet. */
  copyTo(name: string, to: MachineFolders): Promise<void>
  /** False if no snapshot has this name. */
  remove(name: string): Promise<boolean>
  /** Removes incomplete folders of processes that have ended. */
  sweep(): Promise<void>
}

export function openSnapshots(tools: BubblewrapTools, folder: string): SnapshotStore {
  const foldersOf = (name: string) => [path.join(folder, name, 'r'), path.join(folder, name, 's')] as const
  const temporaryFolder = () =>
    path.join(folder, `.${process.pid}-${Buffer.from(birthOf(process.pid)!).toString('hex')}-${randomBytes(4).toString('hex')}`) // this process is alive
  const names = () => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
  const read = (name: string): Snapshot[] => {
    try {
      return [JSON.parse(fs.readFileSync(path.join(folder, name, RECORD), 'utf8')) as Snapshot] // written by take
    } catch {
      return [] // it was removed in the meantime
    }
  }
  const list = () => names().filter((name) => !name.startsWith('.')).flatMap(read).toSorted((a, b) => b.createdAt - a.createdAt) // prettier-ignore
  return {
    list,
    require(name) {
      const snapshot = list().find((one) => one.name === name)
      if (!snapshot)
        throw new NotRun(
          'image_unavailable',
          `image: ${JSON.stringify(name)} does not exist. bubblewrap has "host" (the programs of this machine) and snapshots.`,
        )
      return snapshot
    },
    async save({ name, maxBytes }, { root, shared, spec }) {
      const bytes = (await treeBytes(tools, [root, shared])).reduce<number>((sum, one) => sum + (one ?? 0), 0)
      if (bytes > maxBytes)
        throw new NotRun(
          'invalid_request',
          `The files of the machine use ${bytes} bytes, but only ${maxBytes} bytes are free for snapshots.`,
        )
      const temporary = temporaryFolder()
      const snapshot: Snapshot = { name, profile: spec.profile, bytes, createdAt: Date.now(), machine: spec.id }
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      fs.mkdirSync(temporary, { mode: 0o700 })
      try {
        await copyTrees(tools, [root, shared], temporary)
        fs.writeFileSync(path.join(temporary, RECORD), JSON.stringify(snapshot), { mode: 0o600, flag: 'wx' })
        fs.renameSync(temporary, path.join(folder, name)) // fails if the name is in use
        return snapshot
      } catch (error) {
        await deleteTrees(tools, [temporary])
        throw error
      }
    },
    copyTo: (name, { root }) => copyTrees(tools, foldersOf(name), path.dirname(root)),
    async remove(name) {
      if (read(name).length === 0) return false
      const temporary = temporaryFolder()
      fs.renameSync(path.join(folder, name), temporary)
      await deleteTrees(tools, [temporary])
      return true
    },
    async sweep() {
      const abandoned = names().filter((name) => {
        const [, pid, born] = TEMPORARY.exec(name) ?? []
        return pid !== undefined && isGone({ pid: Number(pid), born: Buffer.from(born!, 'hex').toString() })
      })
      if (abandoned.length > 0) await deleteTrees(tools, abandoned.map((name) => path.join(folder, name))) // prettier-ignore
    },
  }
}
