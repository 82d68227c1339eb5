import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Task } from '#contracts/entities/task.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import type { ProjectFacts } from '../checks/facts.ts'
import type { Place } from '../sandboxes/place.ts'

export type SetUpStep = Omit<Task['setup'][number], 'cached'>
type Json = Record<string, unknown>

/** The set-up commands of a project, from the first file that contains any. `has`: package folders that are copied anyway. */
export function findSetUp({ files, read }: ProjectFacts, has: readonly string[]): SetUpStep[] {
  for (const [file, commandsOf] of SETUP_FILES) {
    const text = read(file)
    const commands = text === null ? [] : commandsOf(objectIn(text))
    if (commands.length > 0) return commands.map((command) => ({ command, because: file }))
  }
  const locks = new Set(files.filter((name) => !name.includes('/')))
  return [NODE_MANAGERS, PYTHON_MANAGERS].flatMap(({ folders, managers }) => {
    const found = folders.some((one) => has.includes(one)) ? undefined : managers.find(([lock]) => locks.has(lock))
    return found ? [{ command: found[1], because: found[0] }] : []
  })
}

/** Configuration files of tools that create working copies. */
const SETUP_FILES: readonly (readonly [file: string, commandsOf: (config: Json) => string[]])[] = [
  ['conductor.json', (config) => textsIn(objectOf(config['scripts'])['setup'])],
  ['.superset/config.json', (config) => textsIn(config['setup'])],
  ['.cursor/worktrees.json', (config) => textsIn(config['setup-worktree-unix'] ?? config['setup-worktree'])],
  ['.devcontainer/devcontainer.json', (config) => containerCommands(config['postCreateCommand'])],
  ['.devcontainer.json', (config) => containerCommands(config['postCreateCommand'])],
]
const NODE_MANAGERS = {
  folders: ['node_modules'],
  managers: [
    ['package-lock.json', 'npm ci'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
    ['yarn.lock', 'yarn install --frozen-lockfile'],
    ['bun.lock', 'bun install --frozen-lockfile'],
    ['bun.lockb', 'bun install --frozen-lockfile'],
  ],
} as const
const PYTHON_MANAGERS = {
  folders: ['.venv', 'venv'],
  managers: [
    ['uv.lock', 'uv sync --frozen'],
    ['poetry.lock', 'poetry config --local virtualenvs.in-project true && poetry install'],
    ['requirements.txt', 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt'],
  ],
} as const

/** The cache folder for the packages that these steps install; null if the steps may also change something else. */
export function cacheFolderOf(root: string, steps: readonly SetUpStep[], { files, read }: ProjectFacts, place: Place): string | null {
  const managers = [...NODE_MANAGERS.managers, ...PYTHON_MANAGERS.managers]
  if (steps.length === 0 || !steps.every(({ command }) => managers.some((one) => one[1] === command))) return null
  const inputs = files.filter((name) => managers.some((one) => one[0] === path.posix.basename(name)) || path.posix.basename(name) === 'package.json').toSorted() // prettier-ignore
  const digest = createHash('sha256').update(JSON.stringify([steps, process.arch, place, inputs.map((name) => [name, read(name)])]))
  return path.join(root, '.set-up', digest.digest('hex').slice(0, 32))
}

/** Removes the least recently used caches. */
export function removeOldCaches(root: string, most: number): void {
  const folder = path.join(root, '.set-up')
  if (!fs.existsSync(folder)) return
  const caches = fs
    .readdirSync(folder)
    .map((name) => ({ cache: path.join(folder, name), at: fs.statSync(path.join(folder, name)).mtimeMs }))
  for (const { cache } of caches.toSorted((a, b) => b.at - a.at).slice(most)) fs.rmSync(cache, { recursive: true, force: true })
}

function containerCommands(value: unknown): string[] {
  if (Array.isArray(value)) return [value.map((word) => quoted(String(word))).join(' ')]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(containerCommands)
  return textsIn(value)
}

function textsIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {})

/** Some of these files contain line comments. */
const objectIn = (text: string): Json => objectOf(jsonOf(text.replaceAll(/^\s*\/\/.*$/gm, '')))
