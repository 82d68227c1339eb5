import fs from 'node:fs'
import type { SandboxBackend, SandboxBackendState } from '#contracts/entities/sandbox.ts'
import type { ImageToBuild } from '../docker/build.ts'
import { createDocker } from '../docker/index.ts'
import type { MachineEngine } from './machine.ts'
import { openMachines } from './index.ts'

export type { ImageToBuild } from '../docker/build.ts'

/** An engine that may not be installed. */
export interface Backend {
  name: SandboxBackend
  /** The first call tests the isolation. Throws `NotRun` if something is missing. */
  open(): Promise<MachineEngine>
  state(): Promise<SandboxBackendState>
  /** Builds an image without network; null if the engine has no images. */
  build: ((image: ImageToBuild) => Promise<void>) | null
  /** Whether records of machines exist, whose owner may have ended. */
  hasRecords(): boolean
}

export interface BackendOptions {
  /** Folder for records of the machines. */
  records: string
  /** Folder for snapshots. */
  snapshots: string
  /** Machines of other data directories are never changed. */
  dataDir: string
  dockerHost: string | undefined
}

/** The engines for sandboxes, the preferred one first. */
export function createBackends({ records, snapshots, dataDir, dockerHost }: BackendOptions): Backend[] {
  let machines: Promise<MachineEngine> | null = null
  const openHere = () => {
    machines ??= openMachines(records, snapshots).catch((error: unknown) => {
      machines = null // bubblewrap may be installed before the next call
      throw error
    })
    return machines
  }
  const docker = createDocker({ host: dockerHost, dataDir })
  return [
    {
      name: 'bubblewrap',
      open: openHere,
      build: null,
      state: () =>
        openHere().then(
          async (engine) => ({
            name: 'bubblewrap',
            available: true,
            version: engine.version,
            reason: null,
            images: ['host', ...((await engine.snapshots?.list()) ?? []).map(({ name }) => name)],
          }),
          (error: Error) => ({ name: 'bubblewrap', available: false, version: null, reason: error.message, images: [] }),
        ),
      hasRecords: () => fs.existsSync(records) && fs.readdirSync(records).length > 0,
    },
    {
      name: 'docker',
      open: () => docker.open(),
      build: docker.build,
      async state() {
        const { fix, reason, ...state } = await docker.state()
        return { name: 'docker', ...state, reason: reason && `${reason} ${fix}` }
      },
      hasRecords: () => false, // the Engine has them
    },
  ]
}
