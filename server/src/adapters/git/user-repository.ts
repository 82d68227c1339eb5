import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'
import { gitBytes, type GitPlaces } from './plumbing.ts'
import { readIndex, readTree, type TreeEntry } from './tree-entry.ts'

/** A repository of the user, as seen from a folder in it. */
export interface RepositoryState {
  top: string
  /** From `top` to the folder: empty, or with "/" at its end. */
  prefix: string
  gitDir: string
  head: string | null
  /** Full name of the ref that is checked out; null: no branch is. */
  branch: string | null
  /** What is under way in it, for a sentence; null: nothing. */
  busy: string | null
  objectFormat: string
}

export interface EntryChange {
  path: string
  entry: TreeEntry | null
}

export interface Identity {
  name: string
  email: string
}

const GONE = '0'.repeat(40)
const UNDER_WAY: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase is in progress'],
  ['MERGE_HEAD', 'a merge is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['index.lock', 'another git command is using it (index.lock)'],
  ['HEAD.lock', 'another git command is using it (HEAD.lock)'],
]

/**
 * Adds commits to repositories of the user, and moves their refs and entries of their index. Runs none of their hooks and filters.
 * Names in trees and the index are relative to the folder.
 */
export function createUserRepositories(places: GitPlaces) {
  const ask = async (folder: string, args: readonly string[], signal: AbortSignal, env?: Record<string, string>) =>
    gitBytes(places, { args: ['-C', folder, ...args], env, signal }).then(
      (bytes) => bytes.toString('utf8').replace(/\n$/, ''),
      () => {
        signal.throwIfAborted()
        return null
      },
    )
  const runGit = async (folder: string, args: readonly string[], signal: AbortSignal, env?: Record<string, string>, input?: string) => {
    const config = await sharing(folder, signal)
    const bytes = await gitBytes(places, {
      args: ['-C', folder, ...args],
      env,
      config,
      signal,
      ...(input === undefined ? {} : { input: [input] }),
    })
    return bytes.toString('utf8').trim()
  }
  /** Files that git makes are as readable as those it made before: this process hides its own from other users. */
  const sharing = async (folder: string, signal: AbortSignal): Promise<string[]> => {
    if ((await ask(folder, ['config', '--get', 'core.sharedRepository'], signal)) !== null) return []
    const gitDir = await ask(folder, ['rev-parse', '--absolute-git-dir'], signal)
    const stat = gitDir === null ? undefined : fs.statSync(path.join(gitDir, 'HEAD'), { throwIfNoEntry: false })
    return stat === undefined ? [] : [`core.sharedRepository=0${((stat.mode & 0o666) | 0o600).toString(8)}`]
  }
  const indexInfo = (prefix: string, changes: readonly EntryChange[]) =>
    changes
      .toSorted((a, b) => Number(a.entry !== null) - Number(b.entry !== null)) // a file makes way for a folder of its name
      .map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.oid ?? GONE}\t${prefix}${path}\0`)
      .join('')

  /** Whom the user's own settings name; null: nobody. */
  const identity = async (folder: string, signal: AbortSignal): Promise<Identity | null> => {
    const files = [path.join(places.userHome, '.gitconfig'), path.join(places.userHome, '.config', 'git', 'config')]
    const env = { GIT_CONFIG_GLOBAL: files.find((file) => fs.existsSync(file)) ?? '/dev/null' }
    const [name, email] = [
      await ask(folder, ['config', '--get', 'user.name'], signal, env),
      await ask(folder, ['config', '--get', 'user.email'], signal, env),
    ]
    return name && email ? { name, email } : null
  }

  return {
    /** Null: the folder is in no repository. */
    async state(folder: string, signal: AbortSignal): Promise<RepositoryState | null> {
      const top = await ask(folder, ['rev-parse', '--show-toplevel'], signal)
      const gitDir = await ask(folder, ['rev-parse', '--absolute-git-dir'], signal)
      if (!top || !gitDir || !isWithin(top, folder)) return null // settings of a repository can name another folder
      return {
        top,
        gitDir,
        prefix: folder === top ? '' : `${path.relative(top, folder)}/`,
        head: await ask(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal),
        branch: await ask(folder, ['symbolic-ref', '--quiet', 'HEAD'], signal),
        busy: UNDER_WAY.find(([file]) => fs.existsSync(path.join(gitDir, file)))?.[1] ?? null,
        objectFormat: (await ask(folder, ['rev-parse', '--show-object-format'], signal)) ?? 'sha1',
      }
    },
    /** Files of a commit. */
    tree: async (folder: string, commit: string, signal: AbortSignal): Promise<Map<string, TreeEntry>> =>
      readTree(await gitBytes(places, { args: ['-C', folder, 'ls-tree', '-r', '-z', commit], signal })),
    index: async (folder: string, signal: AbortSignal) =>
      readIndex(await gitBytes(places, { args: ['-C', folder, 'ls-files', '--stage', '-z'], signal })),
    /** Paths that pass through a program (such as Git LFS) on their way into a commit. */
    async filtered(folder: string, paths: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
      const input = [paths.map((one) => `${one}\0`).join('')]
      const args = ['-C', folder, 'check-attr', '-z', '--stdin', 'filter']
      const fields = (await gitBytes(places, { args, input, signal })).toString('utf8').split('\0')
      const found = new Map<string, string>()
      for (let at = 0; at + 2 < fields.length; at += 3)
        if (fields[at + 2] !== 'unspecified' && fields[at + 2] !== 'unset') found.set(fields[at]!, fields[at + 2]!)
      return found
    },
    identity,
    /** The full name of the ref of a branch; null: git takes no such name. */
    async branchRef(name: string, signal: AbortSignal): Promise<string | null> {
      const ref = `refs/heads/${name}`
      return name.startsWith('-') || (await ask('/', ['check-ref-format', ref], signal)) === null ? null : ref
    },
    /** The commit that a ref names; null: there is no such ref. */
    ref: (folder: string, ref: string, signal: AbortSignal) => ask(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], signal),
    /** Whether a folder has the branch checked out. */
    isCheckedOut: async (folder: string, ref: string, signal: AbortSignal): Promise<boolean> =>
      Boolean(await ask(folder, ['for-each-ref', '--format=%(worktreepath)', ref], signal)),
    /** Whether a branch or tag leads to the commit. */
    isReachable: async (folder: string, commit: string, signal: AbortSignal): Promise<boolean> =>
      Boolean(await ask(folder, ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`], signal)),
    /** Puts files into its objects as they are. Their names must hold no line end. */
    async store(folder: string, files: readonly string[], signal: AbortSignal): Promise<string[]> {
      if (files.length === 0) return []
      const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
      return (await runGit(folder, args, signal, {}, `${files.join('\n')}\n`)).split('\n')
    },
    /** A commit of `base` (null: of nothing) with these changes; no ref leads to it yet. `scratch`: a temporary folder. */
    async commit(
      state: RepositoryState,
      {
        base,
        changes,
        message,
        by,
        scratch,
      }: { base: string | null; changes: readonly EntryChange[]; message: string; by: Identity; scratch: string },
      signal: AbortSignal,
    ): Promise<string> {
      const env = {
        GIT_INDEX_FILE: path.join(scratch, 'index'),
        GIT_AUTHOR_NAME: by.name,
        GIT_AUTHOR_EMAIL: by.email,
        GIT_COMMITTER_NAME: by.name,
        GIT_COMMITTER_EMAIL: by.email,
      }
      await runGit(state.top, ['read-tree', base ?? '--empty'], signal, env)
      await runGit(state.top, ['update-index', '-z', '--index-info'], signal, env, indexInfo(state.prefix, changes))
      const tree = await runGit(state.top, ['write-tree'], signal, env)
      return runGit(state.top, ['commit-tree', tree, ...(base === null ? [] : ['-p', base]), '-F', '-'], signal, env, message)
    },
    /** Sets these entries of the index, and no others. */
    setIndex: async (state: RepositoryState, changes: readonly EntryChange[], signal: AbortSignal): Promise<void> => {
      await runGit(state.top, ['update-index', '-z', '--index-info'], signal, {}, indexInfo(state.prefix, changes))
    },
    /** Moves a ref that still names `from` (null: that is not there). */
    async moveRef(
      folder: string,
      ref: string,
      { from, to, why }: { from: string | null; to: string | null; why: string },
      signal: AbortSignal,
    ) {
      const args = to === null ? ['-d', ref, from ?? GONE] : [ref, to, from ?? GONE]
      const by = (await identity(folder, signal)) ?? { name: 'Bash Gym', email: 'bashgym@localhost' }
      const env = { GIT_COMMITTER_NAME: by.name, GIT_COMMITTER_EMAIL: by.email } // of the reflog
      await runGit(folder, ['update-ref', '-m', why, ...args], signal, env)
    },
  }
}

export type UserRepositories = ReturnType<typeof createUserRepositories>
