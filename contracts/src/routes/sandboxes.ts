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
  summary: 'Describe a sandbox; nothing is started. The same idempotencyKey gives the same sandbox',
  body: SandboxSpec.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: Sandbox,
  status: 201,
})
export const listSandboxes = route.get('listSandboxes', '/api/sandboxes', {
  summary: 'Sandboxes, newest first, with what runs and what waits',
  query: z.object({ status: csv(SandboxStatus).optional(), cursor: Cursor, limit: Limit }),
  response: page(Sandbox).extend({ capacity: SandboxCapacity }),
})
export const getSandboxLimits = route.get('getSandboxLimits', '/api/sandboxes/limits', {
  summary: 'How many may run, do and wait; the engines that are there',
  response: SandboxCapacity.extend({ backends: z.array(SandboxBackendState) }),
})
export const listSandboxSnapshots = route.get('listSandboxSnapshots', '/api/sandboxes/snapshots', {
  summary: 'Files of sandboxes that are kept under a name, newest first',
  response: SnapshotUse.extend({ items: z.array(SandboxSnapshot) }),
})
export const removeSandboxSnapshot = route.delete('removeSandboxSnapshot', '/api/sandboxes/snapshots/{name}', {
  summary: 'Delete a snapshot; sandboxes that were made from it keep their files',
  params: z.object({ name: z.string().max(100) }),
  response: z.object({ name: z.string() }),
  errors: ['snapshot_not_found'],
})
export const takeSandboxSnapshot = route.post('takeSandboxSnapshot', '/api/sandboxes/{id}/snapshots', {
  summary: 'Keep the files of a running sandbox under a name that `image` takes; its programs are paused meanwhile and are no part of it',
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
  summary: 'Processor time, memory, processes and disk of the running sandboxes, measured now',
  response: z.object({ items: z.array(SandboxUsage) }),
})
export const startSandbox = route.post('startSandbox', '/api/sandboxes/{id}/start', {
  summary: 'Start it: wait for its turn, make it, copy its files in, run its set-up commands, open its main session',
  params,
  body: z.object({
    wait: z.boolean().default(true).meta({ description: 'in line when the limit is reached; otherwise refused' }),
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
  summary: 'Run a command in a session, or in a process of its own; a command that fails is no error',
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
  summary: 'Interrupt the command of a session; the session stays',
  params,
  body: z.object({ session: session.default('main') }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found'],
})
export const takeOverSandbox = route.post('takeOverSandbox', '/api/sandboxes/{id}/take-over', {
  summary: 'Give the terminal of a session to a window, once the commands before it have ended; it types by the stream of the session',
  params,
  body: z.object({ session: session.default('main'), window: SandboxWindow }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_exited', 'session_lost', 'session_no_terminal'],
})
export const handBackSandbox = route.post('handBackSandbox', '/api/sandboxes/{id}/hand-back', {
  summary: 'Take the terminal back: what still runs in the foreground is ended, and commands run again',
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
  summary: 'The commands of its sessions, with what came of them',
  params,
  query: z.object({ session: session.optional() }),
  response: z.object({ sandboxId: z.string(), commandCount: z.number().int(), trajectory: z.array(TrajectoryEntry) }),
  errors: ['sandbox_not_found'],
})
export const getSandboxTrajectoryText = route.get('getSandboxTrajectoryText', '/api/sandboxes/{id}/trajectory/formatted', {
  summary: 'The same as text: each command after a $, then its output',
  params,
  query: z.object({ session: session.optional() }),
  produces: 'text/plain',
  errors: ['sandbox_not_found'],
})
export const getSandboxRecording = route.get('getSandboxRecording', '/api/sandboxes/{id}/recording', {
  summary: 'What a session showed, with times, as asciinema (version 2) plays it; kept until the sandbox is removed',
  params,
  query: z.object({ session: SandboxExec.shape.session }),
  produces: 'application/x-asciicast',
  errors: ['sandbox_not_found', 'recording_not_found'],
})
export const stopSandbox = route.post('stopSandbox', '/api/sandboxes/{id}/stop', {
  summary: 'Stop it and remove its files; its trajectory stays unless `remove` is set',
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
