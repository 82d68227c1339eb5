import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Task } from '#contracts/entities/task.ts'
import { createChanges } from '#server/adapters/git/changes.ts'
import { createUserRepositories } from '#server/adapters/git/user-repository.ts'
import type { TaskChange } from '../change.ts'
import diff from './diff/diff.job.ts'
import { createHandBackService, type HandBackServiceDeps } from './service.ts'
import type { Review } from './store.ts'
import { carryOut } from './tree/carry-out.ts'
import { rollBack } from './tree/roll-back.ts'
import survey from './tree/look-at.job.ts'

export const TASK_ID = 'abcdefghijklmnopqrstuvwxyz'
const PROGRAMS = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin'
const ENV = { PATH: PROGRAMS, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' }
const ME = ['-c', 'user.name=Me', '-c', 'user.email=me@example.org', '-c', 'core.autocrlf=false', '-c', 'protocol.file.allow=always']

export const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', [...ME, '-C', folder, ...args], { env: ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** A file with this text or these bytes. `{ x }`: an executable file; `{ link }`: a symbolic link. */
export type Content = string | Buffer | { x: string } | { link: string }
export type Files = Record<string, Content>

export function put(root: string, files: Record<string, Content | null>): void {
  for (const [name, content] of Object.entries(files)) {
    const place = path.join(root, name)
    if (content === null) {
      fs.rmSync(place, { recursive: true, force: true })
      continue
    }
    fs.mkdirSync(path.dirname(place), { recursive: true })
    const isLink = typeof content === 'object' && 'link' in content
    const isFile = fs.lstatSync(place, { throwIfNoEntry: false })?.isFile() === true
    if (!isFile || isLink) fs.rmSync(place, { recursive: true, force: true })
    if (isLink) fs.symlinkSync(content.link, place)
    else if (typeof content === 'object' && 'x' in content) {
      fs.writeFileSync(place, content.x)
      fs.chmodSync(place, 0o755)
    } else fs.writeFileSync(place, content)
  }
}

/** Names, kinds, permissions and contents of all files in a folder, with its repository if requested. */
export function treeOf(root: string, { withGit = false } = {}): Record<string, string> {
  const found: Record<string, string> = {}
  const walk = (folder: string) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name)
      if (name === '.git' && !withGit) continue
      const place = path.join(root, name)
      const mode = (fs.lstatSync(place).mode & 0o777).toString(8)
      if (entry.isSymbolicLink()) found[name] = `-> ${fs.readlinkSync(place)}`
      else if (entry.isDirectory()) found[name] = `folder ${mode}`
      else found[name] = `${mode} ${createHash('sha1').update(fs.readFileSync(place)).digest('hex').slice(0, 12)}`
      if (entry.isDirectory()) walk(name)
    }
  }
  walk('')
  return found
}

/** A bare repository of a run, with the files from its start and its end. */
export function aChange(
  folder: string,
  start: Record<string, Content | null>,
  end: Record<string, Content | null>,
  user: { directory: string; head: string | null },
): TaskChange {
  const gitDir = path.join(folder, 'change.git')
  const work = path.join(folder, 'work')
  fs.mkdirSync(work, { recursive: true })
  git(folder, 'init', '-q', '--bare', gitDir)
  const commit = () => {
    git(work, `--git-dir=${gitDir}`, `--work-tree=${work}`, 'add', '-A', '-f', '.')
    const tree = git(work, `--git-dir=${gitDir}`, `--work-tree=${work}`, 'write-tree')
    return git(work, `--git-dir=${gitDir}`, 'commit-tree', '-m', 'state', tree)
  }
  put(work, start)
  const first = commit()
  put(work, end)
  return { gitDir, start: first, end: commit(), ...user }
}

export type Harness = ReturnType<typeof aHarness>

/** A user's repository with `files` committed, and the service with a run that started from it. */
export function aHarness(files: Files, overrides: Partial<HandBackServiceDeps> = {}) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-hand-back-')))
  const [user, run, data, userHome] = ['user', 'run', 'data', 'home'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [user, run, data, userHome]) fs.mkdirSync(folder)
  fs.writeFileSync(path.join(userHome, '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.org\n')
  git(user, 'init', '-q', '-b', 'main')
  put(user, files)
  git(user, 'add', '-A', '-f')
  git(user, 'commit', '-q', '-m', 'first', '--allow-empty')
  const head = git(user, 'rev-parse', 'HEAD')
  const places = { path: PROGRAMS, userHome }
  let change: TaskChange | null = null
  let task = { id: TASK_ID, title: 'Do it', state: 'review', handedBack: null, change: { files: 1, added: 1, removed: 0 } } as Task
  let review: Review = { read: [], comments: [] }
  const sent: string[] = []
  const left: string[] = []
  let clock = 0
  const deps: HandBackServiceDeps = {
    runs: {
      get: () => task,
      changeOf: () => change,
      setHandedBack: (_, handedBack) => (task = { ...task, handedBack }),
      message(_, text) {
        sent.push(text)
        return task
      },
    },
    store: {
      of: () => structuredClone(review),
      put: (_, next) => void (review = next),
      remove: () => void (review = { read: [], comments: [] }),
    },
    changes: createChanges(places),
    repositories: createUserRepositories(places),
    work: {
      survey: (root, paths) => survey({ root, paths }),
      carryOut,
      rollBack,
      diff: (input) => Promise.resolve(diff(input)),
    },
    folder: path.join(data, 'hand-backs'),
    dataDirectory: data,
    now: () => Date.UTC(2026, 0, 1) + clock++,
    onLeft: (_, paths) => left.push(...paths),
    ...overrides,
  }
  const service = createHandBackService(deps)
  const signal = AbortSignal.timeout(600_000)
  return {
    base,
    user,
    run,
    data,
    head,
    deps,
    service,
    sent,
    left,
    signal,
    task: () => task,
    setTask: (next: Partial<Task>) => void (task = { ...task, ...next }),
    /** The agent's changes; `start`: uncommitted files in the user's folder at the start of the run. */
    change: (end: Record<string, Content | null>, start: Record<string, Content | null> = {}): TaskChange => {
      fs.rmSync(run, { recursive: true })
      fs.mkdirSync(run)
      return (change = aChange(run, { ...files, ...start }, end, { directory: user, head }))
    },
    handBack: (asked: Partial<Parameters<typeof service.handBack>[1]> = {}) =>
      service.handBack(TASK_ID, { how: 'apply', ...asked }, signal),
    undo: () => service.undo(TASK_ID, signal),
    /** The reasons of a refusal by path; null: it was not refused. */
    refusal: (act: Promise<unknown>): Promise<Record<string, string> | string | null> =>
      act.then(
        () => null,
        (error: { message: string; code?: string; details?: { conflicts?: { path: string; reason: string }[] } }) => {
          if (error.code === undefined) throw error
          const conflicts = error.details?.conflicts
          return conflicts ? Object.fromEntries(conflicts.map(({ path: file, reason }) => [file, reason])) : error.message
        },
      ),
    end: () => fs.rmSync(base, { recursive: true, force: true }),
  }
}
