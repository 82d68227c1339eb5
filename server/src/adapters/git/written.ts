import path from 'node:path'
import { ForeignFileError, type ForeignFolder, inForeign, inJudged } from '#server/foreign/index.ts'
import { packedLines, refTextOf, type Repository, refusedRepository, SYMBOLIC } from './repository.ts'

const MAX_PACKED_BYTES = 256 * 1024 * 1024
const NO_OBJECT = '0'.repeat(40)

/** Who moves a ref, for its log. */
interface RefMove {
  /** Null if it does not exist. */
  from: string | null
  /** Null to remove it. */
  to: string | null
  why: string
  by: { name: string; email: string }
  /** Whether a log is begun for a ref that has none. */
  isLogged: boolean
  at: Date
}

/**
 * Writes into the git folder of a user's repository, where git would follow links: each part is opened without following
 * them, and new files get the permissions of the existing ones. Throws `path_refused`.
 */
async function writing<T>({ top }: Repository, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    if (error.code === 'exists' && error.file.endsWith('.lock'))
      throw refusedRepository(top, `another git command is using it (${error.file})`, 'Wait until it has ended. If none runs, remove that file.', error) // prettier-ignore
    throw refusedRepository(top, `in its git folder, ${error.message}`, undefined, error)
  }
}

const modeOf = ({ gitDir }: Repository): Promise<number> =>
  inJudged(gitDir, async (folder) => (((await folder.find('HEAD'))?.mode ?? 0o644) & 0o666) | 0o600)

const folderModeOf = async (folder: ForeignFolder, name: string): Promise<number> => (await folder.find(name))?.mode ?? 0o755

/** Adds the objects of one of our folders. */
export const addObjects = (repository: Repository, from: string): Promise<void> =>
  writing(repository, () =>
    inForeign(from, (added) =>
      inJudged(repository.commonDir, async (common) => {
        const mode = (await modeOf(repository)) & 0o444
        const folder = { mode: await folderModeOf(common, 'objects'), isExact: true }
        const names: string[] = []
        for await (const { name, kind } of added.walk()) if (kind === 'file' && !name.startsWith('info/')) names.push(name)
        // an index makes its pack known, so it comes last
        for (const name of names.toSorted((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')))) {
          const place = `objects/${name}`
          const found = await common.find(place)
          if (found?.kind === 'file') continue
          if (found !== null) throw new ForeignFileError(place, 'not_regular', 'is not a regular file')
          await common.makeFolder(path.posix.dirname(place), folder)
          const limitBytes = (await added.find(name))?.size ?? 0
          await common.writeFile(place, await added.stream(name), { mode, limitBytes, sync: true })
        }
      }),
    ),
  )

/** Replaces the index with what `make` returns, which gets nothing that others write meanwhile. */
export const replaceIndex = (repository: Repository, make: () => Promise<Buffer>): Promise<void> =>
  writing(repository, () =>
    inJudged(repository.gitDir, async (folder) => {
      const mode = (await folder.find('index'))?.mode ?? (await modeOf(repository))
      await locked(folder, 'index', mode, async (put) => {
        const content = await make()
        await put(content)
      })
    }),
  )

/** Holds git's lock of a file for `use`, which can replace the file. */
async function locked(
  folder: ForeignFolder,
  name: string,
  mode: number,
  use: (put: (content: Buffer | string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const lock = `${name}.lock`
  await folder.writeFile(lock, '', { mode, limitBytes: 0, replace: false })
  let isPut = false
  try {
    await use(async (content) => {
      await folder.writeFile(lock, content, { mode, limitBytes: Buffer.byteLength(content), sync: true })
      await folder.rename(lock, name)
      isPut = true
      await folder.syncFolder(parentOf(name))
    })
  } finally {
    if (!isPut) await folder.remove(lock).catch(() => {}) // the first error is the one to report
  }
}

const parentOf = (name: string): string => (name.includes('/') ? path.posix.dirname(name) : '')

/** Moves, makes or removes a ref if it still points to `from`. */
export const writeRef = (repository: Repository, ref: string, move: RefMove): Promise<void> =>
  writing(repository, () =>
    inJudged(repository.commonDir, async (common) => {
      const mode = await modeOf(repository)
      await common.makeFolder(parentOf(ref), { mode: await folderModeOf(common, 'refs'), isExact: true })
      await locked(common, ref, mode, async (put) => {
        const now = await refTextOf(common, ref)
        if (now !== null && SYMBOLIC.test(now))
          throw refusedRepository(repository.top, `its branch ${ref} is only another name of ${now.slice(5)}`)
        if (now !== move.from) throw refusedRepository(repository.top, `${ref} has just been moved to ${now ?? 'nothing'}`, 'Try again.')
        if (now === null) await requireFree(repository.top, common, ref)
        await addToLogs(repository, common, ref, move, mode)
        if (move.to !== null) {
          if ((await common.find(ref))?.kind === 'folder') await removeEmpty(common, ref)
          await put(`${move.to}\n`)
          return
        }
        await removePacked(common, ref)
        if ((await common.find(ref)) !== null) await common.remove(ref)
        if ((await common.find(`logs/${ref}`)) !== null) await common.remove(`logs/${ref}`)
      })
      if (move.to === null) for (const place of [ref, `logs/${ref}`]) await removeEmptyAbove(common, place)
    }),
  )

/** Throws if a packed branch has a part of this name, or goes on after it. */
async function requireFree(top: string, common: ForeignFolder, ref: string): Promise<void> {
  const bytes = Buffer.from(ref).toString('latin1')
  const names = ((await packedLines(common)) ?? []).map((line) => line.slice(41).trimEnd())
  const taken = names.find((name) => name.startsWith(`${bytes}/`) || (name.startsWith('refs/') && bytes.startsWith(`${name}/`)))
  if (taken !== undefined) throw refusedRepository(top, `its branch ${taken} leaves no place for ${ref}`, 'Choose another name.')
}

async function removePacked(common: ForeignFolder, ref: string): Promise<void> {
  const lines = await packedLines(common)
  const end = ` ${Buffer.from(ref).toString('latin1')}\n`
  const at = lines?.findIndex((line) => line.endsWith(end) && line.length === 40 + end.length) ?? -1
  if (at < 0) return
  const mode = (await common.find('packed-refs'))?.mode ?? 0o644
  await locked(common, 'packed-refs', mode, async (put) => {
    const now = (await packedLines(common)) ?? []
    const index = now.findIndex((line) => line.endsWith(end) && line.length === 40 + end.length)
    if (index < 0) return
    const peeled = now[index + 1]?.startsWith('^') ? 1 : 0 // the commit of a tag
    const content = Buffer.from(now.toSpliced(index, 1 + peeled).join(''), 'latin1')
    if (content.length > MAX_PACKED_BYTES) throw new ForeignFileError('packed-refs', 'too_large', 'is too large')
    await put(content)
  })
}

/** Records the move as git does: for the branch, and for HEAD where it is checked out. */
async function addToLogs(
  repository: Repository,
  common: ForeignFolder,
  ref: string,
  { from, to, why, by, isLogged, at }: RefMove,
  mode: number,
): Promise<void> {
  const plain = (text: string) => text.replaceAll(/[\p{Cc}<>]/gu, ' ').trim()
  const line = `${from ?? NO_OBJECT} ${to ?? NO_OBJECT} ${plain(by.name)} <${plain(by.email)}> ${stampOf(at)}\t${plain(why)}\n`
  const add = async (folder: ForeignFolder, name: string) => {
    const found = await folder.find(name)
    if (found === null && !isLogged) return
    if (found?.kind === 'folder') await removeEmpty(folder, name)
    await folder.makeFolder(path.posix.dirname(name), { mode: await folderModeOf(common, 'refs'), isExact: true })
    await folder.append(name, line, mode)
  }
  if (to !== null) await add(common, `logs/${ref}`)
  await inJudged(repository.gitDir, async (own) => {
    const head = await own.text('HEAD', 4096)
    if (head.trimEnd() === `ref: ${ref}`) await add(own, 'logs/HEAD')
  })
}

/** Seconds and the time zone. */
function stampOf(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  const two = (value: number) => String(value).padStart(2, '0')
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`
  return `${Math.floor(at.getTime() / 1000)} ${zone}`
}

/** Removes a folder that has only empty folders. Throws `not_empty`. */
async function removeEmpty(folder: ForeignFolder, name: string): Promise<void> {
  for (const entry of await folder.list(name)) if (entry.kind === 'folder') await removeEmpty(folder, entry.name)
  await folder.removeFolder(name)
}

/** Removes the empty folders above a ref, as git does. */
async function removeEmptyAbove(folder: ForeignFolder, name: string): Promise<void> {
  for (let at = path.posix.dirname(name); /(?:^|\/)refs\/heads\/./.test(at); at = path.posix.dirname(at))
    try {
      await folder.removeFolder(at)
    } catch (error) {
      if (error instanceof ForeignFileError) return // it has more branches, or was never there
      throw error
    }
}
