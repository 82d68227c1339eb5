import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { runToEnd } from '#server/process/run-to-end.ts'
import { startProcess } from '#server/process/start.ts'

const DEADLINE_MS = 30_000
const ARCHIVE_MS = 300_000
const GRACE_MS = 500
/** Nothing is run that a repository or its user configures, and nothing is fetched. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never', '-c', 'tar.umask=0022']

export interface GitPlaces {
  /** Where git is looked for. */
  path: string
  userHome: string
}

/** Reads repositories of the user; changes none. */
export function createGit(places: GitPlaces) {
  const env = {
    PATH: places.path,
    HOME: places.userHome,
    LANG: 'C.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
  const specOf = (folder: string, args: readonly string[], deadlineMs: number) => ({
    command: '/usr/bin/env',
    args: ['git', ...SAFE, '-C', folder, ...args],
    cwd: '/',
    env,
    deadlineMs,
    graceMs: GRACE_MS,
  })
  /** What it printed; null where it failed. */
  const ask = async (folder: string, args: readonly string[]): Promise<string | null> => {
    const { code, stdout } = await runToEnd(specOf(folder, args, DEADLINE_MS))
    return code === 0 ? stdout.trim() : null
  }
  return {
    /** The top folder of the repository that a folder lies in; null: it lies in none. */
    top: (folder: string) => ask(folder, ['rev-parse', '--show-toplevel']),
    /** The whole hash of a commit that is there; null: it is not. */
    commit: (repository: string, name: string) =>
      ask(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]),
    /** The newest commit of a branch (or of HEAD, where there is no such branch) that is not later; null: there is none. */
    async commitBefore(repository: string, branch: string | null, at: string): Promise<string | null> {
      for (const name of [...(branch === null ? [] : [`refs/heads/${branch}`]), 'HEAD']) {
        const found = await ask(repository, ['rev-list', '--max-count=1', `--before=${at}`, '--end-of-options', name])
        if (found) return found
      }
      return null
    },
    /**
     * The files of a commit as a tar stream. `scratch`: an empty folder, which becomes a repository without settings over the
     * same objects, for filters that a repository configures would run here. `done` rejects where they could not be written whole.
     */
    async archive(
      repository: string,
      commit: string,
      { scratch, signal }: { scratch: string; signal: AbortSignal },
    ): Promise<{ tar: Readable; done: Promise<void> }> {
      const objects = await ask(repository, ['rev-parse', '--path-format=absolute', '--git-path', 'objects'])
      if (objects === null) throw new Error(`${repository} does not say where its objects are; this needs git 2.31 or newer`)
      for (const name of ['refs', 'objects']) fs.mkdirSync(path.join(scratch, name))
      fs.writeFileSync(path.join(scratch, 'HEAD'), 'ref: refs/heads/none\n')
      const spec = specOf('/', [`--git-dir=${scratch}`, 'archive', '--format=tar', commit], ARCHIVE_MS)
      const running = await startProcess({
        ...spec,
        env: { ...env, GIT_OBJECT_DIRECTORY: objects },
        output: { descriptors: ['ignore', 'pipe', 'ignore'] },
        signal,
      })
      const [tar] = running.streams.filter(Boolean) as [Readable]
      const ended = async () => {
        const { code } = await running.exit
        if (!tar.readableEnded) await once(tar, 'end')
        if (code !== 0) throw new Error(`git archive of ${commit} ended with ${code ?? 'a signal'}`)
      }
      const done = ended()
      done.catch(() => {}) // told to who awaits it
      return { tar, done }
    },
  }
}

export type Git = ReturnType<typeof createGit>
