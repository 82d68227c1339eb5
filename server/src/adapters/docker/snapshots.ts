/** Saves the files of containers as images with our label. Files in memory (profile `strict`) cannot be part of an image. */
import type Docker from 'dockerode'
import { z } from 'zod'
import { type MachineSpec, NotRun, type Snapshot, type SnapshotRequest } from '../sandbox/index.ts'
import { callEngine, removeFromEngine } from './client.ts'
import { LABELS } from './container.ts'
import { writtenBytes } from './disk-watch.ts'

interface ListedImage {
  Labels?: Record<string, string> | null
  RepoTags?: string[] | null
}

/** The snapshot in an image; its name does not have the tag that the Engine adds. Null for a label that somebody else wrote. */
export const snapshotOf = ({ Labels, RepoTags }: ListedImage, dataDir: string): Snapshot | null => {
  const encoded = Labels?.[LABELS.snapshot]
  if (encoded === undefined || Labels?.[LABELS.dataDir] !== dataDir) return null
  const snapshot = SnapshotLabel.safeParse(parsedOrNull(Buffer.from(encoded, 'base64url').toString())).data
  return snapshot && RepoTags?.includes(`${snapshot.name}:latest`) ? snapshot : null
}

const SnapshotLabel = z.object({
  name: z.string(),
  profile: z.enum(['machine', 'strict']),
  bytes: z.number(),
  createdAt: z.number(),
  machine: z.string(),
}) satisfies z.ZodType<Snapshot>

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The names under which sandboxes can use these images, without snapshots of other data directories. */
export function namesOf(images: readonly ListedImage[], dataDir: string): string[] {
  const names = images.flatMap((image) => {
    if (image.Labels?.[LABELS.snapshot] !== undefined) return snapshotOf(image, dataDir)?.name ?? []
    return (image.RepoTags ?? []).filter((name) => !name.includes('<none>'))
  })
  return names.toSorted()
}

export function snapshotsOf({ docker, dataDir }: { docker: Docker; dataDir: string }) {
  const list = async (): Promise<Snapshot[]> => {
    const images = await callEngine(docker.listImages({ filters: { label: [`${LABELS.dataDir}=${dataDir}`, LABELS.snapshot] } }))
    return images.flatMap((image) => snapshotOf(image, dataDir) ?? []).toSorted((a, b) => b.createdAt - a.createdAt)
  }
  return {
    list,
    async remove(name: string): Promise<boolean> {
      if (!(await list()).some((one) => one.name === name)) return false
      return (await removeFromEngine(() => docker.getImage(name).remove({ force: true }))) !== null
    },
  }
}

/** Pauses the container while it saves. Throws `NotRun` if Docker does not allow the name or there is too little space. */
export async function takeSnapshot(
  container: Docker.Container,
  { id, profile }: MachineSpec,
  { name, maxBytes }: SnapshotRequest,
): Promise<Snapshot> {
  if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name))
    throw new NotRun(
      'invalid_request',
      `Docker does not allow the snapshot name "${name}". Use lower-case letters and digits, with single dots or dashes between them.`,
    )
  const bytes = (await writtenBytes(container)) ?? 0
  if (bytes > maxBytes)
    throw new NotRun('invalid_request', `The files of the machine use ${bytes} bytes, but only ${maxBytes} bytes are free for snapshots.`)
  const snapshot: Snapshot = { name, profile, bytes, createdAt: Date.now(), machine: id }
  const encoded = Buffer.from(JSON.stringify(snapshot)).toString('base64url')
  await callEngine(container.commit({ repo: name, tag: 'latest', pause: true, changes: `LABEL ${LABELS.snapshot}=${encoded}` }))
  return snapshot
}
