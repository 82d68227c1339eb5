/** Files of containers, saved as images with our label. Files that a container has in memory (`strict`) are no part of an image. */
import type Docker from 'dockerode'
import { type MachineSpec, NotRun, type Snapshot, type SnapshotRequest } from '../sandbox/index.ts'
import { ask, askIfThere } from './client.ts'
import { LABELS } from './container.ts'
import { writtenBytes } from './disk-watch.ts'

interface Listed {
  Labels?: Record<string, string> | null
  RepoTags?: string[] | null
}

/** As it is asked for: the Engine adds a tag. */
export const snapshotIn = ({ Labels }: Listed, dataDir: string): Snapshot | null => {
  const encoded = Labels?.[LABELS.snapshot]
  return encoded === undefined || Labels?.[LABELS.dataDir] !== dataDir
    ? null
    : (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Snapshot) // written by take
}

/** Names of images as sandboxes ask for them; snapshots of other data directories are left out. */
export function namesOf(images: readonly Listed[], dataDir: string): string[] {
  const names = images.flatMap((image) => {
    if (image.Labels?.[LABELS.snapshot] !== undefined) return snapshotIn(image, dataDir)?.name ?? []
    return (image.RepoTags ?? []).filter((name) => !name.includes('<none>'))
  })
  return names.toSorted()
}

export function snapshotsOf({ docker, dataDir }: { docker: Docker; dataDir: string }) {
  const list = async (): Promise<Snapshot[]> => {
    const images = await ask(docker.listImages({ filters: { label: [`${LABELS.dataDir}=${dataDir}`, LABELS.snapshot] } }))
    return images.flatMap((image) => snapshotIn(image, dataDir) ?? []).toSorted((a, b) => b.createdAt - a.createdAt)
  }
  return {
    list,
    async remove(name: string): Promise<boolean> {
      if (!(await list()).some((one) => one.name === name)) return false
      return (await askIfThere(docker.getImage(name).remove({ force: true }))) !== null
    },
  }
}

/** The container is paused meanwhile. Throws `NotRun` for a name that the Engine cannot have, and if too little is left. */
export async function takeSnapshot(
  container: Docker.Container,
  { id, profile }: MachineSpec,
  { name, mostBytes }: SnapshotRequest,
): Promise<Snapshot> {
  if (!/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(name))
    throw new NotRun(
      'invalid_request',
      `Docker cannot keep files under the name "${name}": small letters and digits, with single dots and dashes between them.`,
    )
  const bytes = (await writtenBytes(container)) ?? 0
  if (bytes > mostBytes)
    throw new NotRun('invalid_request', `The files of the machine take ${bytes} bytes; ${mostBytes} are left for snapshots.`)
  const snapshot: Snapshot = { name, profile, bytes, createdAt: Date.now(), machine: id }
  const encoded = Buffer.from(JSON.stringify(snapshot)).toString('base64url')
  await ask(container.commit({ repo: name, tag: 'latest', pause: true, changes: `LABEL ${LABELS.snapshot}=${encoded}` }))
  return snapshot
}
