import { once } from 'node:events'
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { runToEnd } from '#server/process/run-to-end.ts'
import { cloneRepository } from './clone.ts'
import { type GitPlaces, safeArgs, safeEnv, startGit } from './plumbing.ts'
import { countChange, filesOf, makeWorkRepository, namesOf, patchBetween, plainFiles, readPlainFiles, storeFiles } from './stored-files.ts'
import { emptyRepository, readWorkingTree } from './working-tree.ts'

const DEADLINE_MS = 30_000
const ARCHIVE_MS = 300_000
const GRACE_MS = 500

export { addressKind } from './clone.ts'
export type { GitPlaces } from './plumbing.ts'
export type { StoredFile } from './stored-files.ts'
export type { WorkingTree } from './working-tree.ts'

/** Reads repositories of the user without changing them; stores files in our own repositories. */
export function createGit(places: GitPlaces) {
  /** The output of a git command; null if it failed. */
  const gitText = async (folder: string, args: readonly string[]): Promise<string | null> => {
    const { code, stdout } = await runToEnd({
      command: '/usr/bin/env',
      args: safeArgs(['-C', folder, ...args]),
      cwd: '/',
      env: safeEnv(places),
      deadlineMs: DEADLINE_MS,
      graceMs: GRACE_MS,
    })
    return code === 0 ? stdout.trim() : null
  }
  return {
    /** The top folder of the repository that contains a folder; null if no repository does. */
    top: (folder: string) => gitText(folder, ['rev-parse', '--show-toplevel']),
    /** Null if the folder is in no repository. */
    workingTree: (folder: string, signal: AbortSignal = AbortSignal.timeout(DEADLINE_MS)) => readWorkingTree(places, folder, signal),
    /** Our own repositories, which have plain files and no settings. */
    files: {
      prepare: emptyRepository,
      store: (gitDir: string, name: string, found: Parameters<typeof storeFiles>[2], signal: AbortSignal) => {
        emptyRepository(gitDir)
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
    /** Creates a repository to work in, with the history of a commit of `repository`. */
    async workRepository(repository: string, folder: string, { commit, branch }: { commit: string; branch: string }, signal: AbortSignal) {
      const paths = await gitText(repository, ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow'])
      const [objects, shallow] = paths?.split('\n') ?? []
      if (!objects || !shallow) throw new Error(`${repository} does not say where its objects are; this needs git 2.31 or newer`)
      await makeWorkRepository(places, {
        folder,
        objects,
        shallow: fs.existsSync(shallow) ? fs.readFileSync(shallow) : null,
        commit,
        branch,
        signal,
      })
    },
    /** The full hash of a commit; null if it does not exist. */
    commit: (repository: string, name: string) =>
      gitText(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]),
    /** The newest commit before a time, of a branch or, if it does not exist, of HEAD; null if there is none. */
    async commitBefore(repository: string, branch: string | null, at: string): Promise<string | null> {
      for (const name of [...(branch === null ? [] : [`refs/heads/${branch}`]), 'HEAD']) {
        const commit = await gitText(repository, ['rev-list', '--max-count=1', `--before=${at}`, '--end-of-options', name])
        if (commit) return commit
      }
      return null
    },
    /**
     * The files of a commit as a tar stream. `scratch`: an empty folder, in which a repository with the same objects but without
     * settings is created, because otherwise filters of the repository's settings would run. `done` rejects if the tar is incomplete.
     */
    async archive(
      repository: string,
      commit: string,
      { scratch, signal }: { scratch: string; signal: AbortSignal },
    ): Promise<{ tar: Readable; done: Promise<void> }> {
      const objects = await gitText(repository, ['rev-parse', '--path-format=absolute', '--git-path', 'objects'])
      if (objects === null) throw new Error(`${repository} does not say where its objects are; this needs git 2.31 or newer`)
      emptyRepository(scratch)
      const args = [`--git-dir=${scratch}`, 'archive', '--format=tar', commit]
      const env = { GIT_OBJECT_DIRECTORY: objects }
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
