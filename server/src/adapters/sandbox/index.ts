/** Programs in isolation. Other rooms import this and no engine. */
import { fileURLToPath } from 'node:url'
import { findBubblewrap, openBubblewrap, openBubblewrapMachines } from '../bubblewrap/index.ts'
import type { MachineEngine } from './machine.ts'
import type { SandboxEngine } from './types.ts'

export { runAlone, strictPolicy } from './strict.ts'
export type * from './machine.ts'
export * from './types.ts'

/** The engine of this machine, proved by a test run. Throws `NotRun` with what is missing. */
export const openSandboxes = (): Promise<SandboxEngine> => openBubblewrap()

/**
 * Machines on this machine, proved by test runs; `records` is a folder of ours for what is known of them, `snapshots` one
 * for files that are kept, without which there are none. Throws `NotRun`.
 */
export const openMachines = (records: string, snapshots: string | null = null): Promise<MachineEngine> =>
  openBubblewrapMachines(records, snapshots)

/** The argument vector of a child process that answers SandboxRequest lines with SandboxResponse lines; null if there is no engine. */
export const sandboxWorkerArgv = (): string[] | null =>
  findBubblewrap() === null ? null : [process.execPath, fileURLToPath(new URL('./sandbox-worker.ts', import.meta.url))]
