import type { z } from 'zod'
import type {
  Sandbox,
  SandboxCapacity,
  SandboxExec,
  SandboxFile,
  SandboxResult,
  SandboxSpec,
  SandboxUsage,
  TrajectoryEntry,
} from '#contracts/entities/sandbox.ts'

export type Spec = z.input<typeof SandboxSpec>
export type Exec = z.input<typeof SandboxExec>

/** Another service reports fewer fields than ours; the missing ones are left out. */
export type Listed = Pick<Sandbox, 'id' | 'image' | 'status' | 'setupCommands' | 'sessionCommandCount' | 'lastStandaloneExitCode'> &
  Partial<Sandbox>
export type Result = Pick<SandboxResult, 'output' | 'exitCode' | 'exited'> & Partial<SandboxResult>
export type Step = Pick<TrajectoryEntry, 'index' | 'command' | 'at'> & {
  session?: string
  result: Pick<Result, 'output' | 'exitCode'> | null
}

export interface SandboxList {
  items: Listed[]
  /** Null if the service does not report it. */
  capacity: SandboxCapacity | null
}

/** The operations that the commands need, on any kind of server. */
export interface Sandboxes {
  /** `keep`: its files stay if the app ends while it runs; by default they do. */
  create(spec: Spec, options?: { idempotencyKey?: string | undefined; keep?: boolean }): Promise<{ id: string }>
  start(id: string, wait: boolean, signal?: AbortSignal): Promise<{ id: string }>
  exec(id: string, request: Exec, signal?: AbortSignal): Promise<Result>
  stop(id: string, remove: boolean): Promise<object>
  list(): Promise<SandboxList>
  trajectory(id: string): Promise<{ sandboxId: string; commandCount: number; trajectory: Step[] }>
  trajectoryText(id: string): Promise<string>
  /** These three are null if the service does not support them. */
  interrupt: ((id: string) => Promise<unknown>) | null
  usage: (() => Promise<SandboxUsage[]>) | null
  putFile: ((id: string, file: z.input<typeof SandboxFile>) => Promise<unknown>) | null
}
