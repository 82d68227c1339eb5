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
  /** What a program of the user prints; null if it fails. */
  outputOf: (program: string, args: readonly string[]) => Promise<string | null>
  userHome: string
}

const NODE_RUNNERS: ReadonlySet<CheckRunner> = new Set(['vitest', 'jest', 'mocha', 'node', 'npm'])
/** They can start programs in any language. */
const GENERAL_RUNNERS: ReadonlySet<CheckRunner> = new Set(['command', 'make', 'verify.sh'])
/** Folders that are separate and writable inside a sandbox. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', '/home/user']
const BASE_PATH = '/usr/local/bin:/usr/bin:/bin'
const NOTHING: Toolchain = { folders: [], env: {} }

/** Finds interpreters and compilers outside /usr (pyenv, nvm, rustup), and downloaded packages, as the user's shell would. */
export function createToolchains({ find, outputOf, userHome }: ToolchainDeps) {
  const node = (): Toolchain => {
    const program = find('node')
    return program === null ? NOTHING : withPrograms(path.dirname(path.dirname(fs.realpathSync(program))))
  }
  const python = async (project: string): Promise<Toolchain> => {
    const program = baseOfVenv(project) ?? find('python3')
    const prefix = program === null ? null : await outputOf(program, ['-I', '-c', 'import sys; print(sys.base_prefix)'])
    return withPrograms(prefix)
  }
  const go = async (): Promise<Toolchain> => {
    const program = find('go')
    const printed = program === null ? null : await outputOf(program, ['env', 'GOROOT', 'GOMODCACHE'])
    const [root = '', modules = ''] = printed?.split('\n') ?? []
    const { folders, env } = withPrograms(root)
    const downloads = path.join(modules, 'cache', 'download')
    if (!isUsable(downloads)) return { folders, env }
    // as a proxy, so that Go can still add modules to the sandbox's own folder; the user's proxies are left out, since they can hold passwords
    return { folders: [...folders, downloads], env: { ...env, GOPROXY: `file://${downloads},direct` } }
  }
  const rust = async (): Promise<Toolchain> => {
    const program = find('rustc') // with rustup, a program that starts the one of the selected toolchain
    const { folders, env } = withPrograms(program === null ? null : await outputOf(program, ['--print', 'sysroot']))
    const cargoFolder = path.join(userHome, '.cargo')
    const packages = ['registry', 'git'].map((name) => path.join(cargoFolder, name)).filter(isUsable) // not the whole folder, which holds tokens
    if (packages.length === 0) return { folders, env }
    return { folders: [...folders, ...packages], env: { ...env, CARGO_HOME: cargoFolder, CARGO_NET_OFFLINE: 'true' } }
  }
  const neededBy = async (runner: CheckRunner, project: string): Promise<Toolchain[]> => {
    if (runner === 'pytest' || runner === 'unittest') return [await python(project)]
    if (NODE_RUNNERS.has(runner)) return [node()]
    if (runner === 'go') return [await go()]
    if (runner === 'cargo') return [await rust()]
    return GENERAL_RUNNERS.has(runner) ? [...(await Promise.all([python(project), go(), rust()])), node()] : []
  }
  return {
    /** A container reads no folder of this machine; it uses the programs of its image. */
    async of(runner: CheckRunner, { backend }: Pick<Place, 'backend'>, project: string): Promise<Toolchain> {
      if (backend === 'docker') return NOTHING
      const needed = await neededBy(runner, project)
      const programs = needed.flatMap(({ env }) => (env['PATH'] === undefined ? [] : [env['PATH']]))
      return {
        folders: needed.flatMap(({ folders }) => folders),
        env: { ...Object.assign({}, ...needed.map(({ env }) => env)), PATH: [...programs, BASE_PATH].join(':') },
      }
    },
  }
}

/** The interpreter that a project's virtual environment links to. Null for a file of the project: anyone may have written it, so it is not run here. */
function baseOfVenv(project: string): string | null {
  const link = ['.venv', 'venv'].map((name) => path.join(project, name, 'bin', 'python')).find((file) => fs.existsSync(file))
  if (link === undefined) return null
  const program = fs.realpathSync(link)
  return isWithin(fs.realpathSync(project), program) || !/^python[\d.]*$/.test(path.basename(program)) ? null : program
}

/** The installation in a folder with `bin`. Those in /usr are in the sandbox already; only their programs may not be on its PATH. */
function withPrograms(folder: string | null): Toolchain {
  if (folder === null || !path.isAbsolute(folder) || folder === '/' || folder === '/usr') return NOTHING
  const isPresent = folder.startsWith('/usr/')
  if (!isPresent && !isUsable(folder)) return NOTHING
  return { folders: isPresent ? [] : [folder], env: { PATH: path.join(folder, 'bin') } }
}

const isUsable = (folder: string): boolean => path.isAbsolute(folder) && fs.existsSync(folder) && isReadableInSandbox(folder)

/** Whether a sandbox can read a folder. If the server runs as root, its sandboxes have another user, who cannot read every folder. */
export function isReadableInSandbox(folder: string): boolean {
  if (WRITABLE.some((place) => isWithin(place, folder))) return false
  if (process.getuid?.() !== 0) return true
  for (let place = folder; place !== '/'; place = path.dirname(place)) if ((fs.statSync(place).mode & 0o001) === 0) return false
  return true
}

export type Toolchains = ReturnType<typeof createToolchains>
