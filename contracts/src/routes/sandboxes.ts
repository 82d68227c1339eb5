import { z } from 'zod'
import { route } from '../derive/route.ts'
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

const group = 'sandboxes'
const params = z.object({ id: z.string().max(100) })
const session = z.string().max(40)

export const createSandbox = route({
  name: 'createSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes',
  summary: 'Describe a sandbox; nothing is started. The same idempotencyKey gives the same sandbox',
  body: SandboxSpec.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: Sandbox,
  status: 201,
  errors: [],
})
export const listSandboxes = route({
  name: 'listSandboxes',
  group,
  method: 'get',
  path: '/api/sandboxes',
  summary: 'Sandboxes, newest first, with what runs and what waits',
  query: z.object({ status: csv(SandboxStatus).optional(), cursor: Cursor, limit: Limit }),
  response: page(Sandbox).extend({ capacity: SandboxCapacity }),
  errors: [],
})
export const getSandboxLimits = route({
  name: 'getSandboxLimits',
  group,
  method: 'get',
  path: '/api/sandboxes/limits',
  summary: 'How many may run, do and wait; the engines that are there',
  response: SandboxCapacity.extend({ backends: z.array(SandboxBackendState) }),
  errors: [],
})
export const listSandboxSnapshots = route({
  name: 'listSandboxSnapshots',
  group,
  method: 'get',
  path: '/api/sandboxes/snapshots',
  summary: 'Files of sandboxes that are kept under a name, newest first',
  response: SnapshotUse.extend({ items: z.array(SandboxSnapshot) }),
  errors: [],
})
export const removeSandboxSnapshot = route({
  name: 'removeSandboxSnapshot',
  group,
  method: 'delete',
  path: '/api/sandboxes/snapshots/{name}',
  summary: 'Delete a snapshot; sandboxes that were made from it keep their files',
  params: z.object({ name: z.string().max(100) }),
  response: z.object({ name: z.string() }),
  errors: ['snapshot_not_found'],
})
export const takeSandboxSnapshot = route({
  name: 'takeSandboxSnapshot',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/snapshots',
  summary: 'Keep the files of a running sandbox under a name that `image` takes; its programs are paused meanwhile and are no part of it',
  params,
  body: z.object({ name: SnapshotName }),
  response: SandboxSnapshot,
  status: 201,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'snapshot_exists', 'snapshot_refused', 'disk_full', 'engine_failed'],
})
export const forkSandbox = route({
  name: 'forkSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/fork',
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
export const getSandbox = route({
  name: 'getSandbox',
  group,
  method: 'get',
  path: '/api/sandboxes/{id}',
  summary: 'One sandbox',
  params,
  response: Sandbox,
  errors: ['sandbox_not_found'],
})
export const listSandboxUsage = route({
  name: 'listSandboxUsage',
  group,
  method: 'get',
  path: '/api/sandboxes/usage',
  summary: 'Processor time, memory, processes and disk of the running sandboxes, measured now',
  response: z.object({ items: z.array(SandboxUsage) }),
  errors: [],
})
export const startSandbox = route({
  name: 'startSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/start',
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
export const execInSandbox = route({
  name: 'execInSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/exec',
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
export const interruptSandbox = route({
  name: 'interruptSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/interrupt',
  summary: 'Interrupt the command of a session; the session stays',
  params,
  body: z.object({ session: session.default('main') }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found'],
})
export const takeOverSandbox = route({
  name: 'takeOverSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/take-over',
  summary: 'Give the terminal of a session to a window, once the commands before it have ended; it types by the stream of the session',
  params,
  body: z.object({ session: session.default('main'), window: SandboxWindow }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_exited', 'session_lost', 'session_no_terminal'],
})
export const handBackSandbox = route({
  name: 'handBackSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/hand-back',
  summary: 'Take the terminal back: what still runs in the foreground is ended, and commands run again',
  params,
  body: z.object({ session: session.default('main') }),
  response: Sandbox,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_not_found', 'session_lost'],
})
export const openSandboxSession = route({
  name: 'openSandboxSession',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/sessions',
  summary: 'Open another shell in the same sandbox',
  params,
  body: z.object({ session: SandboxExec.shape.session.removeDefault(), tty: z.boolean().optional() }),
  response: Sandbox,
  status: 201,
  errors: ['sandbox_not_found', 'sandbox_not_started', 'session_exists', 'engine_failed'],
})
export const getSandboxTrajectory = route({
  name: 'getSandboxTrajectory',
  group,
  method: 'get',
  path: '/api/sandboxes/{id}/trajectory',
  summary: 'The commands of its sessions, with what came of them',
  params,
  query: z.object({ session: session.optional() }),
  response: z.object({ sandboxId: z.string(), commandCount: z.number().int(), trajectory: z.array(TrajectoryEntry) }),
  errors: ['sandbox_not_found'],
})
export const getSandboxTrajectoryText = route({
  name: 'getSandboxTrajectoryText',
  group,
  method: 'get',
  path: '/api/sandboxes/{id}/trajectory/formatted',
  summary: 'The same as text: each command after a $, then its output',
  params,
  query: z.object({ session: session.optional() }),
  produces: 'text/plain',
  errors: ['sandbox_not_found'],
})
export const getSandboxRecording = route({
  name: 'getSandboxRecording',
  group,
  method: 'get',
  path: '/api/sandboxes/{id}/recording',
  summary: 'What a session showed, with times, as asciinema (version 2) plays it; kept until the sandbox is removed',
  params,
  query: z.object({ session: SandboxExec.shape.session }),
  produces: 'application/x-asciicast',
  errors: ['sandbox_not_found', 'recording_not_found'],
})
export const stopSandbox = route({
  name: 'stopSandbox',
  group,
  method: 'post',
  path: '/api/sandboxes/{id}/stop',
  summary: 'Stop it and remove its files; its trajectory stays unless `remove` is set',
  params,
  body: z.object({ remove: z.boolean().default(false) }),
  response: z.object({ sandbox: Sandbox.nullable() }),
  errors: ['sandbox_not_found', 'sandbox_not_started'],
})
export const putSandboxFile = route({
  name: 'putSandboxFile',
  group,
  method: 'put',
  path: '/api/sandboxes/{id}/files',
  summary: 'Write a file in a running sandbox',
  params,
  body: SandboxFile,
  response: z.object({ path: z.string(), bytes: z.number().int() }),
  errors: ['sandbox_not_found', 'sandbox_not_started', 'path_refused', 'disk_full'],
})
export const getSandboxFile = route({
  name: 'getSandboxFile',
  group,
  method: 'get',
  path: '/api/sandboxes/{id}/files',
  summary: 'Read a file of a running sandbox',
  params,
  query: z.object({ path: SandboxPath }),
  produces: 'application/octet-stream',
  errors: ['sandbox_not_found', 'sandbox_not_started', 'path_refused'],
})
