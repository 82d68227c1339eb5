import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { SandboxSnapshot, SnapshotName, SnapshotUse } from '../entities/sandbox-snapshot.ts'
import { csv, Cursor, IdempotencyKey, Limit, page } from '../entities/common.ts'
import {
  Sandbox,
  SandboxBackendState,
  SandboxCapacity,
  SandboxExec,
  SandboxFile,
  SandboxPath,
  SandboxResult,
  SandboxSpec,
  SandboxStatus,
  SandboxUsage,
  SandboxWindow,
  TrajectoryEntry,
} from '../entities/sandbox.ts'

const route = routesOf('sandboxes')
const params = z.object({ id: z.string().max(100) })
const session = z.string().max(40)

export const createSandbox = route.post('createSandbox', '/api/sandboxes', {
  summary: 'Create a sandbox without starting it. The same idempotencyKey returns the same sandbox',
  body: SandboxSpec.extend({
    idempotencyKey: IdempotencyKey.optional(),
    keep: z.boolean().default(true).meta({ description: 'keep its files if the app ends while it runs; bubblewrap only' }),
  }),
  response: Sandbox,
  status: 201,
  errors: ['confirmation_required'],
})
export const listSandboxes = route.get('listSandboxes', '/api/sandboxes', {
  summary: 'Sandboxes, newest first, with the number of running and waiting ones',
  query: z.object({ status: csv(SandboxStatus).optional(), cursor: Cursor, limit: Limit }),
  response: page(Sandbox).extend({ capacity: SandboxCapacity }),
})
export const getSandboxLimits = route.get('getSandboxLimits', '/api/sandboxes/limits', {
  summary: 'Limits and numbers of running and waiting sandboxes; available engines',
  response: SandboxCapacity.extend({ backends: z.array(SandboxBackendState) }),
})
export const listSandboxSnapshots = route.get('listSandboxSnapshots', '/api/sandboxes/snapshots', {
  summary: 'Snapshots of sandboxes, newest first',
  response: SnapshotUse.extend({ items: z.array(SandboxSnapshot) }),
})
export const removeSandboxSnapshot = route.delete('removeSandboxSnapshot', '/api/sandboxes/snapshots/{name}', {
  summary: 'Delete a snapshot; sandboxes that started from it keep their files',
  params: z.object({ name: z.string().max(100) }),
  response: z.object({ name: z.string() }),
  errors: ['snapshot_not_found'],
})
export const takeSandboxSnapshot = route.post('takeSandboxSnapshot', '/api/sandboxes/{id}/snapshots', {
  summary: 'Save the files of a running sandbox under a name for `image`; its programs are paused meanwhile and not saved',
  params,
  body: z.object({ name: SnapshotName }),
  response: SandboxSnapshot,
  status: 201,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'snapshot_exists', 'snapshot_refused', 'disk_full', 'engine_failed'],
})
export const forkSandbox = route.post('forkSandbox', '/api/sandboxes/{id}/fork', {
  summary: 'Start another sandbox with a copy of the files of a running one; programs, variables and sessions are not copied',
  params,
  body: z.object({ name: SandboxSpec.shape.name, wait: z.boolean().default(true) }),
  response: Sandbox,
  status: 201,
  errors: [
    'sandbox_not_found',
    'sandbox_not_started',
    'sandbox_capacity',
    'snapshot_refused',
    'disk_full',
    'isolation_unavailable',
    'engine_failed',
  ],
})
export const getSandbox = route.get('getSandbox', '/api/sandboxes/{id}', {
  summary: 'One sandbox',
  params,
  response: Sandbox,
  errors: ['sandbox_not_found'],
})
export const listSandboxUsage = route.get('listSandboxUsage', '/api/sandboxes/usage', {
  summary: 'Current processor time, memory, processes and disk use of the running sandboxes',
  response: z.object({ items: z.array(SandboxUsage) }),
})
export const startSandbox = route.post('startSandbox', '/api/sandboxes/{id}/start', {
  summary:
    'Start a sandbox: wait in the queue, create it, copy its files, run its set-up commands, open its main session. One whose files were kept goes on with them, without copying and set-up',
  params,
  body: z.object({
    wait: z.boolean().default(true).meta({ description: 'wait in the queue if the limit is reached; otherwise the start is refused' }),
    waitTimeoutSec: z.number().min(0).max(86_400).optional(),
  }),
  response: Sandbox,
  errors: [
    'sandbox_not_found',
    'sandbox_already_started',
    'sandbox_capacity',
    'setup_failed',
    'command_blocked',
    'image_unavailable',
    'backend_unavailable',
    'isolation_unavailable',
    'engine_failed',
    'disk_full',
  ],
})
export const execInSandbox = route.post('execInSandbox', '/api/sandboxes/{id}/exec', {
  summary: 'Run a command in a session or a separate process; a failed command is not an error',
  params,
  body: SandboxExec,
  response: SandboxResult,
  errors: [
    'sandbox_not_found',
    'sandbox_not_started',
    'session_not_found',
    'session_exited',
    'session_busy',
    'session_lost',
    'command_blocked',
    'path_refused',
    'engine_failed',
    'disk_full',
  ],
})
export const interruptSandbox = route.post('interruptSandbox', '/api/sandboxes/{id}/interrupt', {
  summary: 'Interrupt the command of a session and keep the session',
  params,
  body: z.object({ session: session.default('main') }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found'],
})
export const takeOverSandbox = route.post('takeOverSandbox', '/api/sandboxes/{id}/take-over', {
  summary: 'Let a window type into the terminal of a session, through its stream, after earlier commands have ended',
  params,
  body: z.object({ session: session.default('main'), window: SandboxWindow }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_exited', 'session_lost', 'session_no_terminal'],
})
export const handBackSandbox = route.post('handBackSandbox', '/api/sandboxes/{id}/hand-back', {
  summary: 'Release the terminal: its foreground program is ended, and commands can run again',
  params,
  body: z.object({ session: session.default('main') }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_lost'],
})
export const openSandboxSession = route.post('openSandboxSession', '/api/sandboxes/{id}/sessions', {
  summary: 'Open another shell in the same sandbox',
  params,
  body: z.object({ session: SandboxExec.shape.session.removeDefault(), tty: z.boolean().optional() }),
  response: Sandbox,
  status: 201,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_exists', 'engine_failed'],
})
export const getSandboxTrajectory = route.get('getSandboxTrajectory', '/api/sandboxes/{id}/trajectory', {
  summary: 'The commands of its sessions, with their results',
  params,
  query: z.object({ session: session.optional() }),
  response: z.object({ sandboxId: z.string(), commandCount: z.number().int(), trajectory: z.array(TrajectoryEntry) }),
  errors: ['sandbox_not_found'],
})
export const getSandboxTrajectoryText = route.get('getSandboxTrajectoryText', '/api/sandboxes/{id}/trajectory/formatted', {
  summary: 'The trajectory as text: each command after a $, then its output',
  params,
  query: z.object({ session: session.optional() }),
  produces: 'text/plain',
  errors: ['sandbox_not_found'],
})
export const getSandboxRecording = route.get('getSandboxRecording', '/api/sandboxes/{id}/recording', {
  summary: 'The output of a session with times, in the asciinema format (version 2); kept until the sandbox is removed',
  params,
  query: z.object({ session: SandboxExec.shape.session }),
  produces: 'application/x-asciicast',
  errors: ['sandbox_not_found', 'recording_not_found'],
})
export const stopSandbox = route.post('stopSandbox', '/api/sandboxes/{id}/stop', {
  summary: 'Stop a sandbox and remove its files; its trajectory is kept unless `remove` is set',
  params,
  body: z.object({ remove: z.boolean().default(false) }),
  response: z.object({ sandbox: Sandbox.nullable() }),
  errors: ['sandbox_not_found', 'sandbox_not_started'],
})
export const putSandboxFile = route.put('putSandboxFile', '/api/sandboxes/{id}/files', {
  summary: 'Write a file in a running sandbox',
  params,
  body: SandboxFile,
  response: z.object({ path: z.string(), bytes: z.number().int() }),
  errors: ['sandbox_not_found', 'sandbox_not_started', 'path_refused', 'disk_full'],
})
export const getSandboxFile = route.get('getSandboxFile', '/api/sandboxes/{id}/files', {
  summary: 'Read a file of a running sandbox',
  params,
  query: z.object({ path: SandboxPath }),
  produces: 'application/octet-stream',
  errors: ['sandbox_not_found', 'sandbox_not_started', 'path_refused'],
})
