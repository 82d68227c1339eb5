/** Isolated programs. Other rooms import this and not a single engine. */
import { fileURLToPath } from 'node:url'
import { findBubblewrap, openBubblewrap, openBubblewrapMachines } from '../bubblewrap/index.ts'
import type { MachineEngine } from './machine.ts'
import type { SandboxEngine } from './types.ts'

export { runAlone, strictPolicy } from './strict.ts'
export type * from './machine.ts'
export * from './types.ts'

/** The engine of this machine, tested by a run. Throws `NotRun` if something is missing. */
export const openSandboxes = (): Promise<SandboxEngine> => openBubblewrap()

/**
 * The engine for machines, tested by runs. `records` is a folder for records of the machines, `snapshots` a folder for
 * snapshots, which are not available without it. Throws `NotRun` if something is missing.
 */
export const openMachines = (records: string, snapshots: string | null = null): Promise<MachineEngine> =>
  openBubblewrapMachines(records, snapshots)

/** The command of a child process that answers SandboxRequest lines with SandboxResponse lines; null if there is no engine. */
export const sandboxWorkerArgv = (): string[] | null =>
  findBubblewrap() === null ? null : [process.execPath, fileURLToPath(new URL('./sandbox-worker.ts', import.meta.url))]
