import type { SandboxBackend, SandboxProfile } from './entities/sandbox.ts'

/** What one sandbox engine can do and another cannot. Code asks for this, not for the name of an engine. */
export interface EngineAbilities {
  /** Starts from images: they bring their own programs and folders, allow to install packages, and can be built. */
  runsImages: boolean
  /** Shows folders of this machine inside. */
  showsFolders: boolean
  /** Lets programs reach chosen addresses, and ports of this machine, without the rest of the network. */
  choosesAddresses: boolean
  /** The files of a machine can stay when the server ends. */
  leavesFiles: boolean
  /** Profiles of machines whose files it can copy, for a snapshot or another machine. */
  copies: readonly SandboxProfile[]
}

export const ENGINE_ABILITIES: Record<SandboxBackend, EngineAbilities> = {
  bubblewrap: { runsImages: false, showsFolders: true, choosesAddresses: true, leavesFiles: true, copies: ['machine', 'strict'] },
  docker: { runsImages: true, showsFolders: false, choosesAddresses: false, leavesFiles: false, copies: ['machine'] },
}
