import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'
import type { CheckRunner } from '#contracts/entities/check.ts'
import type { Place } from '../sandboxes/place.ts'

/** What a runner needs from this machine besides /usr. */
export interface Toolchain {
  /** Folders that the sandbox can read under the same path. */
  folders: string[]
  env: Record<string, string>
}

export interface ToolchainDeps {
  /** The first program with this name on the user's PATH, or null. */
  find: (name: string) => string | null
  /** The installation folder of a Python interpreter; null if it does not report one. */
  pythonPrefix: (python: string) => Promise<string | null>
}

const NODE_RUNNERS: ReadonlySet<CheckRunner> = new Set(['vitest', 'jest', 'mocha', 'node', 'npm'])
/** Folders that are separate and writable inside a sandbox. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', '/home/user']
const BASE_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Finds interpreters outside /usr (pyenv, nvm) as the user's shell would. */
export function createToolchains({ find, pythonPrefix }: ToolchainDeps) {
  const node = (): string[] => {
    const program = find('node')
    return program === null ? [] : [path.dirname(path.dirname(fs.realpathSync(program)))]
  }
  const python = async (project: string): Promise<string[]> => {
    const venvPython = ['.venv', 'venv'].map((name) => path.join(project, name, 'bin', 'python')).find((file) => fs.existsSync(file))
    const program = venvPython ?? find('python3')
    const prefix = program === null ? null : await pythonPrefix(program)
    return prefix === null ? [] : [prefix]
  }
  return {
    /** A container reads no folder of this machine; it uses the programs of its image. */
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
      const folders = needed.filter((folder) => folder !== '/' && !/^\/usr(?:\/|$)/.test(folder) && isReadableInSandbox(folder))
      return { folders, env: { PATH: [...folders.map((folder) => path.join(folder, 'bin')), BASE_PATH].join(':') } }
    },
  }
}

/** Whether a sandbox can read a folder. If the server runs as root, its sandboxes have another user, who cannot read every folder. */
export function isReadableInSandbox(folder: string): boolean {
  if (WRITABLE.some((place) => isWithin(place, folder))) return false
  if (process.getuid?.() !== 0) return true
  for (let place = folder; place !== '/'; place = path.dirname(place)) if ((fs.statSync(place).mode & 0o001) === 0) return false
  return true
}

export type Toolchains = ReturnType<typeof createToolchains>
