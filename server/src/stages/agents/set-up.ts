import type { Task } from '#contracts/entities/task.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import type { ProjectFacts } from '#server/stages/checks/index.ts'

export type SetUpStep = Omit<Task['setup'][number], 'cached'>
type Json = Record<string, unknown>

/** The set-up commands of a project, from the first file that contains any. `has`: package folders that are copied anyway. */
export async function findSetUp({ files, read }: ProjectFacts, has: readonly string[]): Promise<SetUpStep[]> {
  for (const [file, commandsOf] of SETUP_FILES) {
    const text = await read(file)
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

function containerCommands(value: unknown): string[] {
  if (Array.isArray(value)) return [value.map((word) => quoted(String(word))).join(' ')]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(containerCommands)
  return textsIn(value)
}

function textsIn(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
}

/** Whether these steps only install packages, from the lock file of a package manager. */
export const installsOnly = (steps: readonly SetUpStep[]): boolean => {
  const managers = [...NODE_MANAGERS.managers, ...PYTHON_MANAGERS.managers]
  return steps.length > 0 && steps.every(({ command }) => managers.some((one) => one[1] === command))
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {})

/** Some of these files contain line comments. */
const objectIn = (text: string): Json => objectOf(jsonOf(text.replaceAll(/^\s*\/\/.*$/gm, '')))
