import { randomBytes } from 'node:crypto'
import type { SandboxSnapshot } from '#contracts/entities/sandbox-snapshot.ts'
import type { Sandbox, SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { isoOf } from '#server/instant.ts'
import type { Backend } from '#server/adapters/sandbox/backends.ts'
import { EngineLost, type Machine, type MachineEngine, type Snapshot } from '#server/adapters/sandbox/index.ts'
import { isDiskFull } from '#server/disk.ts'
import { engineError } from './engines.ts'

export interface SnapshotDeps {
  backends: readonly Backend[]
  open: (backend: Backend) => Promise<MachineEngine>
  limits: () => { most: number; mostBytes: number }
  /** Called after each change. */
  onChange: (names: string[]) => void
}

/** Saved files of sandboxes, by name. Snapshots are taken and removed one at a time, so that two together cannot exceed a limit. */
export function createSnapshots({ backends, open, limits, onChange }: SnapshotDeps) {
  let tail: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work)
    tail = result.catch(() => {})
    return result
  }
  /** Skips engines that cannot be used. */
  const engines = async () =>
    (await Promise.all(backends.map(async (backend) => ({ name: backend.name, engine: await open(backend).catch(() => null) })))).flatMap(
      ({ name, engine }) => (engine?.snapshots ? [{ name, snapshots: engine.snapshots }] : []),
    )
  const list = async (): Promise<{ items: SandboxSnapshot[]; bytes: number; most: number; mostBytes: number }> => {
    const all = (await engines()).map(async ({ name: backend, snapshots }) =>
      (await listOf(snapshots)).map(({ machine, createdAt, ...one }) => ({
        ...one,
        backend,
        createdAt: isoOf(createdAt),
        sandboxId: machine,
      })),
    )
    const items = (await Promise.all(all)).flat()
    return { items, bytes: items.reduce((sum, { bytes }) => sum + bytes, 0), ...limits() }
  }
  const changed = async () => {
    const { items } = await list()
    onChange(items.map(({ name }) => name))
    return items
  }
  /** Throws `snapshot_exists`, `snapshot_refused`, `disk_full`. `isTemporary`: without limits. */
  const take = (machine: Machine, name: string, isTemporary = false): Promise<SandboxSnapshot> =>
    inTurn(async () => {
      if (!machine.snapshot) throw new AppError('snapshot_refused', { message: 'This sandbox engine cannot save the files of a sandbox.' })
      const { items, bytes, most, mostBytes } = await list()
      const images = (await Promise.all(backends.map((one) => one.state()))).flatMap((state) => state.images)
      if (images.includes(name))
        throw new AppError('snapshot_exists', { message: `There is already an image or snapshot named "${name}".` })
      if (!isTemporary && items.length >= most)
        throw new AppError('snapshot_refused', { message: `There are ${items.length} snapshots; ${most} are allowed.` })
      await machine.snapshot({ name, maxBytes: isTemporary ? Infinity : Math.max(mostBytes - bytes, 0) }).catch((error: unknown) => {
        throw isDiskFull(error)
          ? new AppError('disk_full', { message: 'The disk is full, so no snapshot was made.', cause: error })
          : engineError(error, 'snapshot_refused')
      })
      return (await changed()).find((one) => one.name === name)!
    })
  const remove = (name: string): Promise<void> =>
    inTurn(async () => {
      for (const { snapshots } of await engines()) if (await snapshots.remove(name)) return void (await changed())
      throw new AppError('snapshot_not_found', { message: `There is no snapshot "${name}".` })
    })
  return { list, take, remove }
}

/** Empty if the engine has stopped in the meantime. */
async function listOf(snapshots: NonNullable<MachineEngine['snapshots']>): Promise<Snapshot[]> {
  try {
    return await snapshots.list()
  } catch (error) {
    if (error instanceof EngineLost) return []
    throw error
  }
}

/** Names the temporary snapshot of a fork. */
export const forkName = (): string => `fork-${randomBytes(4).toString('hex')}`

/** The spec of the original without its files and set-up commands, whose effects are already in `image`. */
export const forkSpec = (
  spec: SandboxSpec,
  { id, backend }: Pick<Sandbox, 'id' | 'backend'>,
  image: string,
  name: string | null,
): SandboxSpec => ({
  ...spec,
  image,
  backend,
  name: name ?? `${spec.name ?? id.slice(0, 8)} fork`.slice(0, 100),
  files: [],
  setupCommands: [],
})
