import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { TaskRequest } from '#contracts/entities/task.ts'
import { placeOf } from '#server/stages/sandboxes/index.ts'
import type { SetUpStep } from './set-up.ts'

const FOLDER = '.set-up'
const HEX = 32

/** What decides which packages a set-up installs, as far as a plan knows it. */
export interface SetUpFacts {
  /** The top folder of a repository of this machine, or its address. */
  repository: string
  head: string | null
  steps: readonly SetUpStep[]
  request: TaskRequest
}

/**
 * The cache of what a set-up installed. It can run programs of the repository, so the packages depend on all that it can read, and
 * are used for nothing but the same files of the same repository: another repository's packages could make failing tests pass.
 * `digest`: of the files; `tools`: what it uses of this machine.
 */
export async function cacheFolderOf(root: string, facts: SetUpFacts, inputs: { digest: string; tools: object }): Promise<string> {
  return path.join(root, FOLDER, `${await keyOf(facts)}-${hashOf(inputs)}`)
}

/** Whether there is a cache for a repository without uncommitted changes. */
export async function hasCached(root: string, facts: SetUpFacts): Promise<boolean> {
  const key = await keyOf(facts)
  return namesIn(path.join(root, FOLDER)).some((name) => name.startsWith(`${key}-`) && name.length === 2 * HEX + 1)
}

/** Removes the least recently used caches. */
export function removeOldCaches(root: string, most: number): void {
  const folder = path.join(root, FOLDER)
  const caches = namesIn(folder).map((name) => ({ cache: path.join(folder, name), at: fs.statSync(path.join(folder, name)).mtimeMs }))
  for (const { cache } of caches.toSorted((a, b) => b.at - a.at).slice(most)) fs.rmSync(cache, { recursive: true, force: true })
}

const keyOf = async ({ repository, head, steps, request }: SetUpFacts): Promise<string> =>
  hashOf([await identityOf(repository), head, steps, process.arch, placeOf(request), request.network])

/** A folder that was removed and made again under the same path is another repository. */
async function identityOf(repository: string): Promise<unknown> {
  const place = repository.startsWith('file://') ? decodeURIComponent(new URL(repository).pathname) : repository
  if (!path.isAbsolute(place)) return repository
  const real = await fs.promises.realpath(place)
  const { uid, dev, ino, birthtimeMs } = await fs.promises.stat(real)
  return [real, uid, dev, ino, birthtimeMs]
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, HEX)
const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
