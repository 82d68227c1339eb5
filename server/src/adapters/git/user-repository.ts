import fs from 'node:fs'
import path from 'node:path'
import { inForeign } from '#server/foreign/index.ts'
import { gitBytes, type GitPlaces } from './plumbing.ts'
import { findRepository } from './repository.ts'
import { requireOwnFiles } from './snapshot.ts'
import { readIndex, readTree, type TreeEntry } from './tree-entry.ts'

/** A repository of the user, as seen from a folder in it. */
export interface RepositoryState {
  top: string
  /** The path from `top` to the folder: empty, or with "/" at its end. */
  prefix: string
  gitDir: string
  head: string | null
  /** Full name of the ref that is checked out; null if no branch is. */
  branch: string | null
  /** An operation that is in progress, as part of a sentence; null if there is none. */
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

/** The author of what the user does not commit. */
export const BASH_GYM: Identity = { name: 'Bash Gym', email: 'bashgym@localhost' }

const NO_OBJECT = '0'.repeat(40)
const DEADLINE_MS = 60_000
const BUSY_FILES: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase is in progress'],
  ['rebase-apply', 'a rebase is in progress'],
  ['MERGE_HEAD', 'a merge is in progress'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is in progress'],
  ['REVERT_HEAD', 'a revert is in progress'],
  ['index.lock', 'another git command is using it (index.lock)'],
  ['HEAD.lock', 'another git command is using it (HEAD.lock)'],
]

/**
 * Adds commits to the user's repositories, moves refs and changes index entries, without running hooks or filters.
 * Names in trees and the index are relative to the folder.
 */
export function createUserRepositories(places: GitPlaces) {
  const gitText = async (folder: string, args: readonly string[], signal: AbortSignal, env?: Record<string, string>) =>
    gitBytes(places, { args: ['-C', folder, ...args], env, deadlineMs: DEADLINE_MS, signal }).then(
      (bytes) => bytes.toString('utf8').replace(/\n$/, ''),
      () => {
        signal.throwIfAborted()
        return null
      },
    )
  const runGit = async (folder: string, args: readonly string[], signal: AbortSignal, env?: Record<string, string>, input?: string) => {
    const config = await shareConfig(folder, signal)
    const bytes = await gitBytes(places, {
      args: ['-C', folder, ...args],
      env: { ...(await withoutFilters(folder, signal)), ...env },
      config,
      signal,
      ...(input === undefined ? {} : { input: [input] }),
    })
    return bytes.toString('utf8').trim()
  }
  /** Settings that give new files of git the same permissions as its existing files, because this process's umask hides files. */
  const shareConfig = async (folder: string, signal: AbortSignal): Promise<string[]> => {
    if ((await gitText(folder, ['config', '--get', 'core.sharedRepository'], signal)) !== null) return []
    const gitDir = await gitText(folder, ['rev-parse', '--absolute-git-dir'], signal)
    const head = gitDir === null ? null : await inForeign(gitDir, (files) => files.find('HEAD'))
    return head === null ? [] : [`core.sharedRepository=0${((head.mode & 0o666) | 0o600).toString(8)}`]
  }
  /**
   * Settings without the filter programs of the repository. To write an index, git compares files that were changed within the same
   * second as the index, through their filters.
   */
  const withoutFilters = async (folder: string, signal: AbortSignal): Promise<Record<string, string>> => {
    const keys =
      (await gitText(folder, ['config', '--null', '--name-only', '--get-regexp', String.raw`^filter\.`], signal))?.split('\0') ?? []
    const names = new Set(keys.flatMap((key) => /^filter\.([^]*)\.[^.]*$/.exec(key)?.[1] ?? []))
    if ([...names].some((name) => name.includes('\uFFFD')))
      throw new Error(`the settings of ${folder} have a filter whose name is not UTF-8, so it cannot be switched off`)
    const settings = [...names].flatMap((name) => [
      ...['clean', 'smudge', 'process'].map((part) => [`filter.${name}.${part}`, ''] as const),
      [`filter.${name}.required`, 'false'] as const,
    ])
    return Object.fromEntries([
      ['GIT_CONFIG_COUNT', String(settings.length)],
      ...settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ])
  }
  const indexInfo = (prefix: string, changes: readonly EntryChange[]) =>
    changes
      .toSorted((a, b) => Number(a.entry !== null) - Number(b.entry !== null)) // deletions first: a folder can replace a file of the same name
      .map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.oid ?? NO_OBJECT}\t${prefix}${path}\0`)
      .join('')

  /** The identity in the user's git settings; null if it is not set. */
  const identity = async (folder: string, signal: AbortSignal): Promise<Identity | null> => {
    const files = [path.join(places.userHome, '.gitconfig'), path.join(places.userHome, '.config', 'git', 'config')]
    const env = { GIT_CONFIG_GLOBAL: files.find((file) => fs.existsSync(file)) ?? '/dev/null' }
    const [name, email] = [
      await gitText(folder, ['config', '--get', 'user.name'], signal, env),
      await gitText(folder, ['config', '--get', 'user.email'], signal, env),
    ]
    return name && email ? { name, email } : null
  }

  return {
    /** Null if the folder is in no repository. Throws `path_refused` if git would read or write anything outside the repository. */
    async state(folder: string, signal: AbortSignal): Promise<RepositoryState | null> {
      const repository = await findRepository(folder)
      if (repository === null) return null
      await requireOwnFiles(repository)
      const top = await gitText(folder, ['rev-parse', '--show-toplevel'], signal)
      const gitDir = await gitText(folder, ['rev-parse', '--absolute-git-dir'], signal)
      if (!gitDir || top !== repository.top) return null // a repository's settings can name another work tree
      const busy = await inForeign(gitDir, async (files) => {
        for (const [file, what] of BUSY_FILES) if ((await files.find(file)) !== null) return what
        return null
      })
      return {
        top,
        gitDir,
        prefix: folder === top ? '' : `${path.relative(top, folder)}/`,
        head: await gitText(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal),
        branch: await gitText(folder, ['symbolic-ref', '--quiet', 'HEAD'], signal),
        busy,
        objectFormat: (await gitText(folder, ['rev-parse', '--show-object-format'], signal)) ?? 'sha1',
      }
    },
    /** Files of a commit. */
    tree: async (folder: string, commit: string, signal: AbortSignal): Promise<Map<string, TreeEntry>> =>
      readTree(await gitBytes(places, { args: ['-C', folder, 'ls-tree', '-r', '-z', commit], signal })),
    index: async (folder: string, signal: AbortSignal) =>
      readIndex(await gitBytes(places, { args: ['-C', folder, 'ls-files', '--stage', '-z'], signal })),
    /** Paths for which a filter program (such as Git LFS) is set, with its name. */
    async filtered(folder: string, paths: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
      const input = [paths.map((one) => `${one}\0`).join('')]
      const args = ['-C', folder, 'check-attr', '-z', '--stdin', 'filter']
      const fields = (await gitBytes(places, { args, input, signal })).toString('utf8').split('\0')
      const filters = new Map<string, string>()
      for (let at = 0; at + 2 < fields.length; at += 3)
        if (fields[at + 2] !== 'unspecified' && fields[at + 2] !== 'unset') filters.set(fields[at]!, fields[at + 2]!)
      return filters
    },
    identity,
    /** The full name of a branch's ref; null if git does not allow the name. */
    async branchRef(name: string, signal: AbortSignal): Promise<string | null> {
      const ref = `refs/heads/${name}`
      return name.startsWith('-') || (await gitText('/', ['check-ref-format', ref], signal)) === null ? null : ref
    },
    /** The commit of a ref; null if the ref does not exist. */
    ref: (folder: string, ref: string, signal: AbortSignal) =>
      gitText(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], signal),
    /** Whether the branch is checked out in a work tree. */
    isCheckedOut: async (folder: string, ref: string, signal: AbortSignal): Promise<boolean> =>
      Boolean(await gitText(folder, ['for-each-ref', '--format=%(worktreepath)', ref], signal)),
    /** Whether a branch or tag contains the commit. */
    isReachable: async (folder: string, commit: string, signal: AbortSignal): Promise<boolean> =>
      Boolean(await gitText(folder, ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`], signal)),
    /** Stores files as blobs without filters. Their names must not contain a line end. */
    async store(folder: string, files: readonly string[], signal: AbortSignal): Promise<string[]> {
      if (files.length === 0) return []
      const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
      return (await runGit(folder, args, signal, {}, `${files.join('\n')}\n`)).split('\n')
    },
    /** Creates a commit with these changes to `base` (null: an empty tree), without changing a ref. `scratch`: a temporary folder. */
    async commit(
      state: Pick<RepositoryState, 'top' | 'prefix'>,
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
    /** Sets only these entries of the index. */
    setIndex: async (state: RepositoryState, changes: readonly EntryChange[], signal: AbortSignal): Promise<void> => {
      await runGit(state.top, ['update-index', '-z', '--index-info'], signal, {}, indexInfo(state.prefix, changes))
    },
    /** Moves a ref if it still points to `from` (null: if it does not exist). */
    async moveRef(
      folder: string,
      ref: string,
      { from, to, why }: { from: string | null; to: string | null; why: string },
      signal: AbortSignal,
    ) {
      const args = to === null ? ['-d', ref, from ?? NO_OBJECT] : [ref, to, from ?? NO_OBJECT]
      const by = (await identity(folder, signal)) ?? BASH_GYM
      const env = { GIT_COMMITTER_NAME: by.name, GIT_COMMITTER_EMAIL: by.email } // for the reflog
      await runGit(folder, ['update-ref', '-m', why, ...args], signal, env)
    },
  }
}

export type UserRepositories = ReturnType<typeof createUserRepositories>
