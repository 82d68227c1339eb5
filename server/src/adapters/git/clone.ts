import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inJudged, type OpenFolder } from '#server/foreign/index.ts'
import { type GitPlaces, gitBytes, placeOf } from './plumbing.ts'
import { allRefs, findRepository, headOf, reading, type Repository, requireNoOther } from './repository.ts'
import { emptyRepository, ownObjects, packedRefsOf, requireOwnFiles, withFolder } from './snapshot.ts'

const DEADLINE_MS = 900_000

/** The kind of an address; null if it may not be cloned. */
export function addressKind(address: string): 'file' | 'https' | null {
  if (/^(?:\/|file:\/\/\/)/.test(address) && !address.includes('\0')) return 'file'
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.password === '' && url.username === '' ? 'https' : null
}

/** Clones a repository and checks out its newest commit, without submodules, hooks and filters. */
export async function cloneRepository(places: GitPlaces, address: string, folder: string, signal: AbortSignal): Promise<void> {
  const kind = addressKind(address)
  if (kind === null) throw new Error(`${address} is neither an https address nor a path.`)
  if (kind === 'https') return clone(places, { source: address, folder, kind, signal })
  const place = address.startsWith('/') ? address : fileURLToPath(address)
  const shared = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'bashgym-clone-'))
  try {
    const repository = await repositoryAt(path.resolve(place))
    await withFolder(repository.top, repository.commonDir, 'objects', async (objects) => {
      await share(repository, placeOf([objects], 0), shared)
      await clone(places, { source: shared, folder, kind, folders: [objects], signal })
    })
  } finally {
    await fs.promises.rm(shared, { recursive: true, force: true })
  }
}

interface Cloning {
  source: string
  folder: string
  kind: 'file' | 'https'
  folders?: readonly OpenFolder[]
  signal: AbortSignal
}

const clone = async (places: GitPlaces, { source, folder, kind, folders, signal }: Cloning): Promise<void> => {
  await gitBytes(places, {
    args: ['clone', '--quiet', '--no-local', '--no-recurse-submodules', '--template=', '--', source, folder],
    config: ['http.followRedirects=initial', 'credential.helper='],
    env: { GIT_ASKPASS: '/bin/true', GIT_ALLOW_PROTOCOL: kind },
    folders,
    deadlineMs: DEADLINE_MS,
    signal,
  })
}

/** The repository of exactly this path, which may be bare. Throws if it would hand out the history of another one. */
async function repositoryAt(place: string): Promise<Repository> {
  const found = await findRepository(place)
  const repository = found?.top === place ? found : { top: place, gitDir: place, commonDir: place }
  if (repository.gitDir === place) await reading(place, () => inJudged(place, (folder) => requireNoOther(place, folder, '')))
  await requireOwnFiles(repository)
  return repository
}

/** Makes a repository of ours with the branches and objects of another one, which git clones instead: it finds nothing else. */
async function share(repository: Repository, objects: string, shared: string): Promise<void> {
  const { shallow } = await ownObjects(repository)
  const { commit, ref } = await headOf(repository)
  await emptyRepository(shared)
  await fs.promises.mkdir(path.join(shared, 'objects', 'info'))
  await fs.promises.writeFile(path.join(shared, 'objects', 'info', 'alternates'), `${objects}\n`)
  await fs.promises.writeFile(path.join(shared, 'packed-refs'), packedRefsOf(await allRefs(repository)))
  await fs.promises.writeFile(path.join(shared, 'HEAD'), ref === null ? `${commit}\n` : `ref: ${ref}\n`)
  if (shallow !== null) await fs.promises.writeFile(path.join(shared, 'shallow'), shallow)
}
