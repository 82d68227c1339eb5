import fs from 'node:fs'
import path from 'node:path'
import { inJudged } from '#server/foreign/index.ts'
import { type BlobPlace, createChanges } from './changes.ts'
import { gitBytes, type GitPlaces } from './plumbing.ts'
import { allRefs, findRepository, HASH, headOf, ifThere, reading, refOf, type Repository, refusedRepository } from './repository.ts'
import { type Asking, inSnapshot, isRefused, packedRefsOf, requireOwnFiles, type Snapshot } from './snapshot.ts'
import { readIndex, readTree, type TreeEntry } from './tree-entry.ts'
import { addObjects, replaceIndex, writeRef } from './written.ts'

/** A repository of the user, as seen from a folder in it. */
export interface RepositoryState {
  top: string
  /** The path from `top` to the folder: empty, or with "/" at its end. */
  prefix: string
  head: string | null
  /** Full name of the ref that is checked out; null if no branch is. */
  branch: string | null
  /** An operation that is in progress, as part of a sentence; null if there is none. */
  busy: string | null
}

export interface EntryChange {
  path: string
  entry: TreeEntry | null
}

export interface Identity {
  name: string
  email: string
}

/** A folder of the user that is in a repository, or one of our own bare repositories. */
export type GitPlace = { folder: string } | { gitDir: string }

interface NewCommit {
  /** The parent; null for an empty tree. */
  base: string | null
  changes: readonly EntryChange[]
  message: string
  by: Identity
  /** A temporary folder. */
  scratch: string
}

/** The author of what the user does not commit. */
export const BASH_GYM: Identity = { name: 'Bash Gym', email: 'bashgym@localhost' }

const NO_OBJECT = '0'.repeat(40)
const DEADLINE_MS = 60_000
const WRITING_MS = 300_000
const MAX_SETTINGS = 4 * 1024 * 1024
const BUSY_FILES: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase is in progress'],
  ['MERGE_HEAD', 'a merge is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['index.lock', 'another git command is using it (index.lock)'],
  ['HEAD.lock', 'another git command is using it (HEAD.lock)'],
]

interface Located {
  repository: Repository
  prefix: string
}

/**
 * Adds commits to the user's repositories, moves refs and changes index entries. Git does its work in a repository of ours,
 * which has none of the user's settings, so nothing that they name runs; then we put the results in place. What cannot be
 * read is an error and never counts as missing. Names in trees and the index are relative to the folder.
 */
export function createUserRepositories(places: GitPlaces) {
  const changes = createChanges(places)
  /** Throws `path_refused` if the folder is in no repository, or git would write anything outside it. */
  const locate = async (folder: string): Promise<Located> => {
    const repository = await findRepository(folder)
    if (repository === null) throw refusedRepository(folder, 'it is not a git repository')
    return { repository, prefix: folder === repository.top ? '' : `${path.relative(repository.top, folder)}/` }
  }
  const inUsers = async <T>(folder: string, signal: AbortSignal, use: (snapshot: Snapshot, located: Located) => Promise<T>): Promise<T> => {
    const located = await locate(folder)
    return inSnapshot(places, located.repository, signal, (snapshot) => use(snapshot, located))
  }
  /** Lets git add objects, and puts them in place if they are for the user. */
  const adding = async <T>(place: GitPlace, signal: AbortSignal, add: (ask: Asking) => Promise<T>): Promise<T> => {
    if ('gitDir' in place) return add((args, more) => gitBytes(places, { ...more, args: [`--git-dir=${place.gitDir}`, ...args], signal }))
    return inUsers(place.folder, signal, async ({ ask, gitDir }, { repository }) => {
      const added = await add((args, more) => ask(args, { deadlineMs: WRITING_MS, ...more }))
      await addObjects(repository, path.join(gitDir, 'objects'))
      return added
    })
  }
  const below = <T>(all: ReadonlyMap<string, T>, prefix: string): Map<string, T> =>
    new Map(Array.from(all, ([name, one]): [string, T][] => (name.startsWith(prefix) ? [[name.slice(prefix.length), one]] : [])).flat())

  /** The value of each setting of the repository itself; what other files it includes is not read. */
  const settingsOf = async ({ top, commonDir }: Repository, { ask, gitDir }: Snapshot): Promise<Map<string, string>> => {
    const text = await reading(top, () => inJudged(commonDir, (folder) => ifThere(folder.read('config', MAX_SETTINGS))))
    if (text === null) return new Map()
    const copy = path.join(gitDir, 'settings-to-read') // not the place of git's own settings
    await fs.promises.writeFile(copy, text, { mode: 0o600 })
    const listed = (await ask(['config', '--file', copy, '--no-includes', '--null', '--list'])).toString('utf8')
    return new Map(
      listed
        .split('\0')
        .filter(Boolean)
        .map((one): [string, string] =>
          one.includes('\n') ? [one.slice(0, one.indexOf('\n')), one.slice(one.indexOf('\n') + 1)] : [one, 'true'],
        ),
    )
  }

  /** The identity in the user's git settings, or in those of the repository; null if it is not set. */
  const identity = (folder: string, signal: AbortSignal): Promise<Identity | null> =>
    inUsers(folder, signal, async (snapshot, { repository }) => {
      const own = await settingsOf(repository, snapshot)
      const files = [path.join(places.userHome, '.gitconfig'), path.join(places.userHome, '.config', 'git', 'config')]
      const file = files.find((one) => fs.existsSync(one))
      // `includeIf "gitdir:…"` of the user's own settings asks for the real git folder; of it, git reads the format only
      const valueOf = async (key: string): Promise<string> =>
        own.get(key) ??
        (file === undefined
          ? ''
          : (await snapshot.ask([`--git-dir=${repository.gitDir}`, 'config', '--file', file, '--includes', '--default', '', '--get', key]))
              .toString('utf8')
              .trim())
      const [name, email] = [await valueOf('user.name'), await valueOf('user.email')]
      return name && email ? { name, email } : null
    })

  const indexInfo = (prefix: string, changes: readonly EntryChange[]) =>
    changes
      .toSorted((a, b) => Number(a.entry !== null) - Number(b.entry !== null)) // deletions first: a folder can replace a file of the same name
      .map(({ path: file, entry }) => `${entry?.mode ?? '0'} ${entry?.oid ?? NO_OBJECT}\t${prefix}${file}\0`)
      .join('')

  return {
    /** Null if the folder is in no repository. Throws `path_refused` if git would read or write anything outside the repository. */
    async state(folder: string): Promise<RepositoryState | null> {
      const repository = await findRepository(folder)
      if (repository === null) return null
      await requireOwnFiles(repository)
      const { top, gitDir } = repository
      const busy = await reading(top, () =>
        inJudged(gitDir, async (files) => {
          for (const [file, what] of BUSY_FILES) if ((await files.find(file)) !== null) return what
          return null
        }),
      )
      const { commit, ref } = await headOf(repository)
      return { top, prefix: folder === top ? '' : `${path.relative(top, folder)}/`, head: commit, branch: ref, busy }
    },
    /** Files of a commit. */
    async tree(place: GitPlace, commit: string, signal: AbortSignal): Promise<Map<string, TreeEntry>> {
      const args = ['ls-tree', '-r', '-z', '--full-tree', commit]
      if ('gitDir' in place) return readTree(await gitBytes(places, { args: [`--git-dir=${place.gitDir}`, ...args], signal }))
      return inUsers(place.folder, signal, async ({ ask }, { prefix }) => below(readTree(await ask(args)), prefix))
    },
    index: (folder: string, signal: AbortSignal) =>
      inUsers(folder, signal, async ({ ask }, { prefix }) => {
        const { entries, unmerged } = readIndex(await ask(['ls-files', '--stage', '-z']))
        const names = new Map([...unmerged].map((name) => [name, true]))
        return { entries: below(entries, prefix), unmerged: new Set(below(names, prefix).keys()) }
      }),
    /** Appends the contents of blobs to a file and returns the position of each. */
    blobs: (folder: string, oids: readonly string[], file: string, signal: AbortSignal): Promise<Map<string, BlobPlace>> =>
      oids.length === 0
        ? Promise.resolve(new Map())
        : inUsers(folder, signal, ({ gitDir, folders }) => changes.blobs(gitDir, oids, file, signal, folders)),
    /** Paths for which a filter program (such as Git LFS) is set, with its name. */
    filtered: (folder: string, paths: readonly string[], signal: AbortSignal): Promise<Map<string, string>> =>
      inUsers(folder, signal, async ({ ask, gitDir }, { repository: { top, commonDir }, prefix }) => {
        const own = await reading(top, () => inJudged(commonDir, (files) => ifThere(files.read('info/attributes', MAX_SETTINGS))))
        await fs.promises.mkdir(path.join(gitDir, 'info'), { recursive: true })
        if (own !== null) await fs.promises.writeFile(path.join(gitDir, 'info', 'attributes'), own)
        const input = [paths.map((one) => `${prefix}${one}\0`).join('')]
        const fields = (await ask(['check-attr', '-z', '--stdin', 'filter'], { input })).toString('utf8').split('\0')
        const filters = new Map<string, string>()
        for (let at = 0; at + 2 < fields.length; at += 3)
          if (fields[at + 2] !== 'unspecified' && fields[at + 2] !== 'unset') filters.set(fields[at]!, fields[at + 2]!)
        return below(filters, prefix)
      }),
    identity,
    /** The full name of a branch's ref; null if git does not allow the name. */
    async branchRef(name: string, signal: AbortSignal): Promise<string | null> {
      const ref = `refs/heads/${name}`
      if (name.startsWith('-')) return null
      const args = ['check-ref-format', ref]
      return gitBytes(places, { args, deadlineMs: DEADLINE_MS, signal }).then(
        () => ref,
        () => {
          signal.throwIfAborted()
          return null // refused
        },
      )
    },
    /** The commit of a branch's ref, or of its own hash; null if it does not exist. */
    async ref(folder: string, ref: string, signal: AbortSignal): Promise<string | null> {
      if (!HASH.test(ref)) return refOf((await locate(folder)).repository, ref)
      const answer = await inUsers(folder, signal, ({ ask }) => ask(['cat-file', '--batch-check'], { input: [`${ref}\n`] }))
      return answer.toString('utf8').startsWith(`${ref} commit `) ? ref : null
    },
    /** Whether the branch is checked out in a work tree. */
    async isCheckedOut(folder: string, ref: string): Promise<boolean> {
      const { repository } = await locate(folder)
      return reading(repository.top, () =>
        inJudged(repository.commonDir, async (common) => {
          const trees = (await common.find('worktrees')) === null ? [] : await common.list('worktrees')
          for (const name of ['HEAD', ...trees.map((tree) => `${tree.name}/HEAD`)])
            if ((await ifThere(common.text(name, 4096)))?.trimEnd() === `ref: ${ref}`) return true
          return false
        }),
      )
    },
    /** Whether a branch or tag contains the commit. False also where that cannot be found out. */
    isReachable: async (folder: string, commit: string, signal: AbortSignal): Promise<boolean> => {
      try {
        return await inUsers(folder, signal, async ({ ask, gitDir }, { repository }) => {
          await fs.promises.writeFile(path.join(gitDir, 'packed-refs'), packedRefsOf(await allRefs(repository)))
          const found = await ask(['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`])
          return found.length > 0
        })
      } catch (error) {
        if (isRefused(error)) return false
        throw error
      }
    },
    /** Stores files as blobs without filters. Their names must not contain a line end. */
    async store(place: GitPlace, files: readonly string[], signal: AbortSignal): Promise<string[]> {
      if (files.length === 0) return []
      const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
      const stored = await adding(place, signal, (ask) => ask(args, { input: [`${files.join('\n')}\n`] }))
      return stored.toString('utf8').trim().split('\n')
    },
    /** Creates a commit with these changes to `base`, without changing a ref. */
    commit: (place: GitPlace, prefix: string, { base, changes, message, by, scratch }: NewCommit, signal: AbortSignal): Promise<string> =>
      adding(place, signal, async (ask) => {
        const env = {
          GIT_INDEX_FILE: path.join(scratch, 'index'),
          GIT_AUTHOR_NAME: by.name,
          GIT_AUTHOR_EMAIL: by.email,
          GIT_COMMITTER_NAME: by.name,
          GIT_COMMITTER_EMAIL: by.email,
        }
        const run = async (args: readonly string[], input?: string) =>
          (await ask(args, { env, ...(input === undefined ? {} : { input: [input] }) })).toString('utf8').trim()
        await run(['read-tree', base ?? '--empty'])
        await run(['update-index', '-z', '--index-info'], indexInfo(prefix, changes))
        const tree = await run(['write-tree', '--missing-ok']) // a partial clone need not have the other files
        return run(['commit-tree', tree, ...(base === null ? [] : ['-p', base]), '-F', '-'], message)
      }),
    /** Sets only these entries of the index. */
    async setIndex({ top, prefix }: RepositoryState, changes: readonly EntryChange[], signal: AbortSignal): Promise<void> {
      const { repository } = await locate(top)
      await replaceIndex(repository, () =>
        inSnapshot(places, repository, signal, async ({ ask, gitDir }) => {
          // a split index would have a second file
          const how = { input: [indexInfo(prefix, changes)], config: ['core.splitIndex=false'], deadlineMs: WRITING_MS }
          await ask(['update-index', '-z', '--index-info'], how)
          return fs.promises.readFile(path.join(gitDir, 'index'))
        }),
      )
    },
    /** Moves a ref if it still points to `from` (null: if it does not exist). */
    async moveRef(folder: string, ref: string, move: { from: string | null; to: string | null; why: string }, signal: AbortSignal) {
      const { repository } = await locate(folder)
      const by = (await identity(folder, signal)) ?? BASH_GYM
      const settings = await inSnapshot(places, repository, signal, (snapshot) => settingsOf(repository, snapshot))
      const isLogged = !/^(?:false|no|off|0|)$/i.test(settings.get('core.logallrefupdates') ?? 'true')
      await writeRef(repository, ref, { ...move, by, isLogged, at: new Date() })
    },
  }
}

export type UserRepositories = ReturnType<typeof createUserRepositories>
