import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type GitPlaces, gitBytes } from './plumbing.ts'
import { findRepository } from './repository.ts'
import { ownObjects, requireOwnFiles } from './snapshot.ts'

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
  const source = kind === 'file' ? await ownSource(address.startsWith('/') ? address : fileURLToPath(address)) : address
  await gitBytes(places, {
    args: ['clone', '--quiet', '--no-hardlinks', '--no-recurse-submodules', '--template=', '--', source, folder],
    config: ['http.followRedirects=initial', 'credential.helper='],
    env: { GIT_ASKPASS: '/bin/true', GIT_ALLOW_PROTOCOL: kind },
    deadlineMs: DEADLINE_MS,
    signal,
  })
}

/** The path of a repository of this machine, which may be bare. Throws if it would hand out the history of another one. */
async function ownSource(place: string): Promise<string> {
  const top = await fs.promises.realpath(place).catch(() => fs.promises.realpath(`${place}.git`))
  const found = await findRepository(top)
  const repository = found?.top === top ? found : { top, gitDir: top, commonDir: top }
  await requireOwnFiles(repository)
  await ownObjects(repository)
  return top
}
