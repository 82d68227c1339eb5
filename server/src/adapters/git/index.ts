import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { cloneRepository } from './clone.ts'
import { readHistory } from './history.ts'
import { type GitPlaces, placeOf, startGit } from './plumbing.ts'
import { readPlainFiles } from './plain-files.ts'
import { branchOf, findRepository, headOf, type Repository, refusedRepository } from './repository.ts'
import { emptyRepository, excludesOf, inSnapshot, ownObjects, withFolder, writeExcludes } from './snapshot.ts'
import { countChange, filesOf, makeWorkRepository, namesOf, patchBetween, plainFiles, storeFiles } from './stored-files.ts'
import { copiedFolder, readWorkingTree } from './working-tree.ts'

const DEADLINE_MS = 60_000
const ARCHIVE_MS = 300_000

export { addressKind } from './clone.ts'
export { parseHistory } from './history.ts'
export type { History, HistoryCommit, HistoryText } from './history.ts'
export type { GitPlaces } from './plumbing.ts'
export type { Unread } from './plain-files.ts'
export type { StoredFile } from './stored-files.ts'
export type { WorkingTree } from './working-tree.ts'

/** Reads repositories of the user without changing them; stores files in our own repositories. */
export function createGit(places: GitPlaces) {
  const required = async (folder: string): Promise<Repository> => {
    const repository = await findRepository(folder)
    if (repository === null) throw refusedRepository(folder, 'it is not a git repository')
    return repository
  }
  /** One line of git's answer about a repository; null if it has none. Throws `path_refused` if git cannot read it. */
  const lineOf = (repository: Repository, args: readonly string[], input?: string): Promise<string | null> =>
    inSnapshot(places, repository, AbortSignal.timeout(DEADLINE_MS), async ({ ask }) => {
      const bytes = await ask(args, input === undefined ? {} : { input: [input] })
      return bytes.toString('utf8').trim() || null
    })
  return {
    /** The top folder of the repository that contains a folder; null if no repository does. Throws `path_refused`. */
    top: async (folder: string): Promise<string | null> => (await findRepository(folder))?.top ?? null,
    /** The folder, without links, that is copied for a folder: the whole repository, if it is in one. */
    copiedFolder: (folder: string) => copiedFolder(places, folder),
    /** The user's own list of ignored files in a repository. */
    excludes: async (top: string) => excludesOf((await required(top)).commonDir),
    /** Null if the folder is in no repository. Throws `path_refused`. */
    workingTree: (folder: string, signal: AbortSignal = AbortSignal.timeout(DEADLINE_MS)) => readWorkingTree(places, folder, signal),
    /** Our own repositories, which have plain files and no settings. */
    files: {
      prepare: emptyRepository,
      exclude: writeExcludes,
      store: async (gitDir: string, name: string, found: Parameters<typeof storeFiles>[2], signal: AbortSignal) => {
        await emptyRepository(gitDir)
        return storeFiles(places, { gitDir, name, signal }, found)
      },
      list: (request: Parameters<typeof plainFiles>[1]) => plainFiles(places, request),
      readPlain: readPlainFiles,
      names: (gitDir: string, commit: string, signal: AbortSignal) => namesOf(places, { gitDir, signal }, commit),
      of: (gitDir: string, commit: string, signal: AbortSignal) => filesOf(places, { gitDir, signal }, commit),
      count: (gitDir: string, start: string, end: string, signal: AbortSignal) => countChange(places, { gitDir, signal }, start, end),
      patch: (gitDir: string, start: string, end: string, signal: AbortSignal) => patchBetween(places, { gitDir, signal }, start, end),
    },
    /** Clones into a folder that does not exist yet. Throws with git's message. */
    clone: (address: string, folder: string, signal: AbortSignal) => cloneRepository(places, address, folder, signal),
    /** Creates a repository to work in, with the history of a commit of a user's repository, or of one of ours. Throws `path_refused`. */
    async workRepository(
      from: { top: string } | { gitDir: string },
      folder: string,
      { commit, branch }: { commit: string; branch: string },
      signal: AbortSignal,
    ) {
      if ('gitDir' in from) {
        const objects = { folder: path.join(from.gitDir, 'objects'), shallow: null }
        return makeWorkRepository(places, { folder, objects, folders: [], commit, branch, signal })
      }
      const repository = await required(from.top)
      const { shallow } = await ownObjects(repository)
      await withFolder(repository.top, repository.commonDir, 'objects', (open) => {
        const objects = { folder: placeOf([open], 0), shallow }
        return makeWorkRepository(places, { folder, objects, folders: [open], commit, branch, signal })
      })
    },
    /** The full hash of a commit; null if it does not exist. Throws `path_refused`. */
    async commit(folder: string, name: string): Promise<string | null> {
      if (/\s/.test(name)) return null
      const answer = await lineOf(await required(folder), ['cat-file', '--batch-check'], `${name}^{commit}\n`)
      return /^([0-9a-f]{40}) commit \d+$/.exec(answer ?? '')?.[1] ?? null
    },
    /** What its branches have since a time, and commits that are asked for. Throws `path_refused`. */
    history: async (folder: string, asked: Parameters<typeof readHistory>[2], signal: AbortSignal) =>
      readHistory(places, await required(folder), asked, signal),
    /** The newest commit before a time, of a branch or, if it does not exist, of HEAD; null if there is none. Throws `path_refused`. */
    async commitBefore(folder: string, branch: string | null, at: string): Promise<string | null> {
      const repository = await required(folder)
      for (const tip of [branch === null ? null : await branchOf(repository, branch), (await headOf(repository)).commit]) {
        const commit = tip && (await lineOf(repository, ['rev-list', '--max-count=1', `--before=${at}`, '--end-of-options', tip]))
        if (commit) return commit
      }
      return null
    },
    /**
     * The files of a commit as a tar stream. `scratch`: an empty folder, in which a repository with the same objects but without
     * settings is created, because otherwise filters of the repository's settings would run. `done` rejects if the tar is incomplete.
     * Throws `path_refused`.
     */
    async archive(
      folder: string,
      commit: string,
      { scratch, signal }: { scratch: string; signal: AbortSignal },
    ): Promise<{ tar: Readable; done: Promise<void> }> {
      const objects = await ownObjects(await required(folder))
      await emptyRepository(scratch)
      const args = [`--git-dir=${scratch}`, 'archive', '--format=tar', commit]
      const env = { GIT_OBJECT_DIRECTORY: objects.folder }
      const running = await startGit(places, { args, env, deadlineMs: ARCHIVE_MS, descriptors: ['ignore', 'pipe', 'ignore'], signal })
      const [tar] = running.streams.filter(Boolean) as [Readable]
      const ended = async () => {
        const { code } = await running.exit
        if (!tar.readableEnded) await once(tar, 'end')
        if (code !== 0) throw new Error(`git archive of ${commit} ended with ${code ?? 'a signal'}`)
      }
      const done = ended()
      done.catch(() => {}) // the caller handles the rejection
      return { tar, done }
    },
  }
}

export type Git = ReturnType<typeof createGit>
