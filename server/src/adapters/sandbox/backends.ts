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
  /** Proved when it is first opened. Throws `NotRun` with what is missing. */
  open(): Promise<MachineEngine>
  state(): Promise<SandboxBackendState>
  /** Makes an image without network. Null: the engine has none. */
  build: ((image: ImageToBuild) => Promise<void>) | null
  /** Whether records of machines exist whose owner may be gone. */
  hasRecords(): boolean
}

export interface BackendOptions {
  /** Folder for records of the machines. */
  records: string
  /** Folder for snapshots. */
  snapshots: string
  /** The data directory; machines of another one are not touched. */
  dataDir: string
  dockerHost: string | undefined
}

/** The engines that sandboxes can run on, in the order in which they are preferred. */
export function createBackends({ records, snapshots, dataDir, dockerHost }: BackendOptions): Backend[] {
  let machines: Promise<MachineEngine> | null = null
  const openHere = () => {
    machines ??= openMachines(records, snapshots).catch((error: unknown) => {
      machines = null // it may have been installed by the next time
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
