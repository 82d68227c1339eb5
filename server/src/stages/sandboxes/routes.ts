import { Readable } from 'node:stream'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/sandboxes.ts'
import type { Sandboxes } from './service.ts'
import { trajectoryText } from './trajectory-text.ts'

export const sandboxRoutes = (sandboxes: Sandboxes): Implementation[] => [
  implement(routes.createSandbox, ({ body: { keep, ...spec } }) => sandboxes.create(spec, { keeps: keep })),
  implement(routes.listSandboxes, ({ query }) => sandboxes.list(query)),
  implement(routes.getSandboxLimits, async () => ({ ...sandboxes.capacity(), backends: await sandboxes.backends() })),
  implement(routes.listSandboxUsage, async () => ({ items: await sandboxes.usage() })),
  implement(routes.getSandbox, ({ params }) => sandboxes.get(params.id)),
  implement(routes.listSandboxSnapshots, () => sandboxes.snapshots.list()),
  implement(routes.removeSandboxSnapshot, async ({ params }) => {
    await sandboxes.snapshots.remove(params.name)
    return { name: params.name }
  }),
  implement(routes.takeSandboxSnapshot, ({ params, body }) => sandboxes.takeSnapshot(params.id, body.name)),
  implement(routes.forkSandbox, ({ params, body, signal }) => sandboxes.fork(params.id, body, signal)),
  implement(routes.startSandbox, ({ params, body, signal }) => sandboxes.start(params.id, body, signal)),
  implement(routes.execInSandbox, ({ params, body, signal }) => sandboxes.exec(params.id, body, signal)),
  implement(routes.interruptSandbox, ({ params, body }) => sandboxes.interrupt(params.id, body.session)),
  implement(routes.takeOverSandbox, ({ params, body, signal }) => sandboxes.takeOver(params.id, body, signal)),
  implement(routes.handBackSandbox, ({ params, body }) => sandboxes.handBack(params.id, body.session)),
  implement(routes.openSandboxSession, ({ params, body }) => sandboxes.openSession(params.id, body)),
  implement(routes.getSandboxTrajectory, ({ params, query }) => {
    const trajectory = sandboxes.trajectory(params.id, query.session ?? null)
    return { sandboxId: params.id, commandCount: trajectory.length, trajectory }
  }),
  implement(routes.getSandboxTrajectoryText, ({ params, query }) => ({
    stream: Readable.from([Buffer.from(trajectoryText(sandboxes.trajectory(params.id, query.session ?? null)))]),
    fileName: `${params.id}.txt`,
    contentType: 'text/plain; charset=utf-8',
  })),
  implement(routes.getSandboxRecording, async ({ params, query }) => ({
    stream: await sandboxes.recording(params.id, query.session),
    fileName: `${params.id}-${query.session}.cast`,
    contentType: 'application/x-asciicast',
  })),
  implement(routes.stopSandbox, async ({ params, body }) => ({ sandbox: await sandboxes.stop(params.id, body.remove) })),
  implement(routes.putSandboxFile, async ({ params, body }) => {
    await sandboxes.write(params.id, body)
    return { path: body.path, bytes: Buffer.byteLength(body.content, body.encoding) }
  }),
  implement(routes.getSandboxFile, async ({ params, query }) => ({
    stream: await sandboxes.read(params.id, query.path),
    fileName: query.path.split('/').at(-1) ?? 'file',
    contentType: 'application/octet-stream',
  })),
]
