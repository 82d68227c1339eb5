import fs from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { Readable, type Writable } from 'node:stream'
import { inJudged, type OpenFolder } from '#server/foreign/index.ts'
import { type GitCall, type GitPlaces, gitBytes, placeOf, startGit } from './plumbing.ts'
import type { OwnObjects } from './snapshot.ts'

const DEADLINE_MS = 600_000
/** Git requires a committer; the user's name is not used. */
const COMMITTER = 'Bash Gym <run@bashgym.invalid>'

/** A file in a commit. */
export interface StoredFile {
  name: string
  /** Git's file mode: 100644, 100755 or 120000. */
  mode: string
  content: Buffer
}

interface Repository {
  gitDir: string
  signal: AbortSignal
}

/** Creates a commit without parents from exactly these bytes, without filters and attributes. Returns its hash. */
export async function storeFiles(
  places: GitPlaces,
  { gitDir, name, signal }: Repository & { name: string },
  files: AsyncIterable<StoredFile> | Iterable<StoredFile>,
): Promise<string> {
  const ref = `refs/runs/${name}`
  const deadlineMs = DEADLINE_MS
  await gitBytes(places, { args: [`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--done', '--force'], input: commands(ref, name, files), deadlineMs, signal }) // prettier-ignore
  const hash = await gitBytes(places, { args: [`--git-dir=${gitDir}`, 'rev-parse', '--verify', ref], signal })
  return hash.toString('utf8').trim()
}

async function* commands(ref: string, message: string, files: AsyncIterable<StoredFile> | Iterable<StoredFile>): AsyncGenerator<Buffer> {
  const at = Math.floor(Date.now() / 1000)
  yield Buffer.from(`commit ${ref}\ncommitter ${COMMITTER} ${at} +0000\ndata ${Buffer.byteLength(message)}\n${message}\ndeleteall\n`)
  for await (const { name, mode, content } of files) {
    yield Buffer.from(`M ${mode} inline ${quotedName(name)}\ndata ${content.length}\n`)
    yield content
    yield Buffer.from('\n')
  }
  yield Buffer.from('done\n')
}

const quotedName = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`

export interface Folder extends Repository {
  folder: string
  /** Files of this commit are included even if they are ignored; null if there is no commit yet. */
  base: string | null
  /** File names that are excluded unless they are in that commit. */
  excluded: readonly string[]
}

/** Paths of the files below a folder (a path without links) that no .gitignore in it excludes. Does not read the files. */
export async function plainFiles(places: GitPlaces, { gitDir, folder, base, excluded, signal }: Folder): Promise<string[]> {
  const index = path.join(gitDir, `index-${process.hrtime.bigint()}`)
  const env = { GIT_INDEX_FILE: index }
  const call = (args: readonly string[], folders: readonly OpenFolder[] = []) =>
    gitBytes(places, { args: [`--git-dir=${gitDir}`, ...args], env, folders, signal })
  try {
    if (base !== null) await call(['read-tree', base])
    const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...excluded.flatMap((one) => ['-x', one])]
    const out = await inJudged(folder, (opened) => opened.withOpen('', (work) => call(['-C', placeOf([work], 0), ...list], [work])))
    return [...new Set(out.toString('utf8').split('\0'))].filter((name) => name !== '' && !name.endsWith('/')).toSorted()
  } finally {
    await fs.promises.rm(index, { force: true })
  }
}

/** Paths of the files of a commit. */
export async function namesOf(places: GitPlaces, { gitDir, signal }: Repository, commit: string): Promise<string[]> {
  const args = [`--git-dir=${gitDir}`, 'ls-tree', '-r', '-z', '--full-tree', '--name-only', commit]
  return (await gitBytes(places, { args, signal })).toString('utf8').split('\0').filter(Boolean)
}

/** The files of a commit as they were stored, without submodules. */
export async function* filesOf(places: GitPlaces, { gitDir, signal }: Repository, commit: string): AsyncGenerator<StoredFile> {
  const listed = await gitBytes(places, { args: [`--git-dir=${gitDir}`, 'ls-tree', '-r', '-z', '--full-tree', commit], signal })
  const entries = listed.toString('utf8').split('\0').filter(Boolean).map(entryOf).filter(({ mode }) => mode !== '160000') // prettier-ignore
  const args = [`--git-dir=${gitDir}`, 'cat-file', '--batch']
  const running = await startGit(places, { args, deadlineMs: DEADLINE_MS, descriptors: ['pipe', 'pipe', 'ignore'], signal })
  const [stdin, stdout] = running.streams as [Writable, Readable]
  const requests = pipeline(Readable.from(entries.map(({ hash }) => `${hash}\n`)), stdin)
  requests.catch(() => {}) // the reader below then ends early and throws
  const reader = byteReader(stdout)
  try {
    for (const { name, mode } of entries) {
      const [, type, size] = (await reader.line()).split(' ')
      if (type !== 'blob') throw new Error(`git does not have the file ${name} of ${commit}`)
      const content = await reader.bytes(Number(size))
      await reader.bytes(1)
      yield { name, mode, content }
    }
    if (!stdout.readableEnded) {
      stdout.resume()
      await once(stdout, 'end')
    }
  } finally {
    await running.end()
  }
}

function entryOf(text: string): { mode: string; hash: string; name: string } {
  const [mode = '', , hash = ''] = text.slice(0, text.indexOf('\t')).split(' ')
  return { mode, hash, name: text.slice(text.indexOf('\t') + 1) }
}

function byteReader(stream: Readable) {
  const source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffered: Buffer = Buffer.alloc(0)
  const nextChunk = async () => {
    const { value, done } = await source.next()
    if (done) throw new Error('git ended before all files were read')
    return value
  }
  return {
    async line(): Promise<string> {
      for (;;) {
        const end = buffered.indexOf(10)
        if (end >= 0) {
          const line = buffered.toString('utf8', 0, end)
          buffered = buffered.subarray(end + 1)
          return line
        }
        buffered = Buffer.concat([buffered, await nextChunk()])
      }
    },
    async bytes(count: number): Promise<Buffer> {
      const parts = [buffered]
      let available = buffered.length
      while (available < count) {
        const part = await nextChunk()
        parts.push(part)
        available += part.length
      }
      const joined = parts.length === 1 ? buffered : Buffer.concat(parts)
      buffered = joined.subarray(count)
      return joined.subarray(0, count)
    },
  }
}

/** Counts the files and lines that differ between two commits, without external drivers and filters. */
export async function countChange(places: GitPlaces, { gitDir, signal }: Repository, start: string, end: string) {
  const out = await gitBytes(places, {
    args: [`--git-dir=${gitDir}`, 'diff-tree', '-r', '-z', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', start, end],
    signal,
  })
  const rows = out.toString('utf8').split('\0').filter(Boolean).map((row) => row.split('\t')) // prettier-ignore
  const sum = (column: number) => rows.reduce((all, row) => all + (Number(row[column]) || 0), 0)
  return { files: rows.length, added: sum(0), removed: sum(1) }
}

/** The difference as a patch for `git apply`, including binary files. */
export const patchBetween = (places: GitPlaces, { gitDir, signal }: Repository, start: string, end: string): Promise<Buffer> =>
  gitBytes(places, {
    args: [`--git-dir=${gitDir}`, 'diff-tree', '-r', '-p', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', start, end],
    signal,
  })

interface NewWorkRepository {
  folder: string
  objects: OwnObjects
  /** What git must inherit to reach the objects. */
  folders: readonly OpenFolder[]
  commit: string
  branch: string
  signal: AbortSignal
}

/** Creates a repository for an agent, with one commit and its history, not checked out and without the user's settings. */
export async function makeWorkRepository(
  places: GitPlaces,
  { folder, objects, folders, commit, branch, signal }: NewWorkRepository,
): Promise<void> {
  const { mkdir, writeFile } = fs.promises
  const pack = path.join(folder, 'objects', 'pack')
  for (const inner of [pack, path.join(folder, 'refs', 'heads'), path.join(folder, 'info')]) await mkdir(inner, { recursive: true })
  await writeFile(path.join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`)
  if (objects.shallow !== null) await writeFile(path.join(folder, 'shallow'), objects.shallow)
  const call = (args: readonly string[], more: Pick<GitCall, 'env' | 'input' | 'folders'> = {}) =>
    gitBytes(places, { args: [`--git-dir=${folder}`, ...args], signal, deadlineMs: DEADLINE_MS, ...more })
  await call(['pack-objects', '--revs', '--quiet', '--delta-base-offset', '--reuse-delta', path.join(pack, 'pack')], {
    env: { GIT_OBJECT_DIRECTORY: objects.folder },
    folders,
    input: [`${commit}\n`],
  })
  await call(['update-ref', `refs/heads/${branch}`, commit])
  await call(['read-tree', commit], { env: { GIT_INDEX_FILE: path.join(folder, 'index') } })
  await writeFile(path.join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n[user]\n\tname = Agent\n\temail = agent@bashgym.invalid\n') // prettier-ignore
}
