import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'
import type { CheckRunner } from '#contracts/entities/check.ts'
import type { Place } from '../sandboxes/place.ts'

/** What a runner needs of this machine beyond /usr. */
export interface Toolchain {
  /** Shown in the sandbox at the same place, read-only. */
  folders: string[]
  env: Record<string, string>
}

export interface ToolchainDeps {
  /** The first program of this name on the user's PATH; null: there is none. */
  find: (name: string) => string | null
  /** The folder that holds all of an interpreter of Python; null if it does not say. */
  pythonPrefix: (python: string) => Promise<string | null>
}

const NODE_RUNNERS: ReadonlySet<CheckRunner> = new Set(['vitest', 'jest', 'mocha', 'node', 'npm'])
/** Inside a sandbox these places belong to its programs. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', '/home/user']
const BASE_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Interpreters that the user installed elsewhere (pyenv, nvm), found as a shell of theirs would find them. */
export function createToolchains({ find, pythonPrefix }: ToolchainDeps) {
  const node = (): string[] => {
    const program = find('node')
    return program === null ? [] : [path.dirname(path.dirname(fs.realpathSync(program)))]
  }
  const python = async (project: string): Promise<string[]> => {
    const own = ['.venv', 'venv'].map((name) => path.join(project, name, 'bin', 'python')).find((file) => fs.existsSync(file))
    const program = own ?? find('python3')
    const prefix = program === null ? null : await pythonPrefix(program)
    return prefix === null ? [] : [prefix]
  }
  return {
    /** A container is shown no folder of this machine: it has what its image has. */
    async of(runner: CheckRunner, { backend }: Pick<Place, 'backend'>, project: string): Promise<Toolchain> {
      if (backend === 'docker') return { folders: [], env: {} }
      const needed =
        runner === 'pytest' || runner === 'unittest'
          ? await python(project)
          : NODE_RUNNERS.has(runner)
            ? node()
            : runner === 'command' || runner === 'make' || runner === 'verify.sh'
              ? [...(await python(project)), ...node()]
              : []
      const folders = needed.filter((folder) => folder !== '/' && !/^\/usr(?:\/|$)/.test(folder) && canBeShown(folder))
      return { folders, env: { PATH: [...folders.map((folder) => path.join(folder, 'bin')), BASE_PATH].join(':') } }
    },
  }
}

/** Programs in a sandbox of a server that runs as root have another user, who cannot read every folder. */
export function canBeShown(folder: string): boolean {
  if (WRITABLE.some((place) => isWithin(place, folder))) return false
  if (process.getuid?.() !== 0) return true
  for (let place = folder; place !== '/'; place = path.dirname(place)) if ((fs.statSync(place).mode & 0o001) === 0) return false
  return true
}

export type Toolchains = ReturnType<typeof createToolchains>
