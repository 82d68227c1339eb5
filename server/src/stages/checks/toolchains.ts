import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from '#server/within.ts'
import type { CheckRunner } from '#contracts/entities/check.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import type { ReadOnlyFolder } from '#server/adapters/sandbox/index.ts'
import type { Place } from '#server/stages/sandboxes/index.ts'
import { ENVIRONMENTS, readTextIn } from './facts.ts'
import { installationOf } from './python-installation.ts'

/** What a runner needs from this machine besides /usr. */
interface Toolchain {
  /** Folders that the sandbox can read under the same path. */
  folders: string[]
  env: Record<string, string>
  /** What is needed and cannot be shown, as a sentence. */
  unseen?: string | null
}

export interface ShownToolchain {
  folders: ReadOnlyFolder[]
  env: Record<string, string>
  unseen: string | null
}

export interface ToolchainDeps {
  /** The first program with this name on the user's PATH that is in no `foreign` folder, or null. */
  find: (name: string, foreign: readonly string[]) => string | null
  /** What a program of the user prints; null if it fails or is in a `foreign` folder. It runs in "/", so no project chooses its version. */
  outputOf: (program: string, args: readonly string[], foreign: readonly string[]) => Promise<string | null>
  userHome: string
  /** A copy of a folder that every user can enter; null if there can be none. */
  copyOf: (folder: string) => Promise<string | null>
}

const NODE_RUNNERS: ReadonlySet<CheckRunner> = new Set(['vitest', 'jest', 'mocha', 'node', 'npm'])
/** They can start programs in any language. */
const GENERAL_RUNNERS: ReadonlySet<CheckRunner> = new Set(['command', 'make', 'verify.sh'])
/** Folders that are separate and writable inside a sandbox. */
const WRITABLE = ['/tmp', '/var/tmp', '/run', '/logs', '/home/user']
const BASE_PATH = '/usr/local/bin:/usr/bin:/bin'
const MAX_CONFIG_BYTES = 64 * 1024
const NOTHING: Toolchain = { folders: [], env: {} }

/**
 * Finds interpreters and compilers outside /usr (pyenv, nvm, rustup), and downloaded packages, as the user's shell would in "/".
 * No program of the project is run: a stranger may have written it, or chosen it by a link or a file of settings.
 */
export function createToolchains({ find, outputOf, userHome, copyOf }: ToolchainDeps) {
  const withPrograms = (folder: string | null): Toolchain => installationIn(folder, userHome)
  const printedBy = async (name: string, args: readonly string[], project: string): Promise<string | null> => {
    const program = find(name, [project])
    return program === null ? null : outputOf(program, args, [project])
  }
  const node = (project: string): Toolchain => {
    const program = find('node', [project])
    return program === null ? NOTHING : withPrograms(path.dirname(path.dirname(fs.realpathSync(program))))
  }
  const python = async (project: string): Promise<Toolchain> => {
    const environment = await installationOfVenv(project, userHome)
    const installation = environment?.installation ?? (await printedBy('python3', ['-I', '-c', 'import sys; print(sys.base_prefix)'], project)) // prettier-ignore
    const { folders, env } = withPrograms(installation)
    // version managers link a short name to an installation, which finds its own files under the full name
    return {
      folders: [...new Set(folders.flatMap((folder) => [folder, fs.realpathSync(folder)]))],
      env,
      unseen: environment?.unseen ?? null,
    }
  }
  const go = async (project: string): Promise<Toolchain> => {
    const printed = await printedBy('go', ['env', 'GOROOT', 'GOMODCACHE'], project)
    const [root = '', modules = ''] = printed?.split('\n') ?? []
    const { folders, env } = withPrograms(root)
    const downloads = path.join(modules, 'cache', 'download')
    if (!isUsable(downloads)) return { folders, env }
    // as a proxy, so that Go can still add modules to the sandbox's own folder; the user's proxies are left out, since they can hold passwords
    return { folders: [...folders, downloads], env: { ...env, GOPROXY: `file://${downloads},direct` } }
  }
  const rust = async (project: string): Promise<Toolchain> => {
    const { folders, env } = withPrograms(await printedBy('rustc', ['--print', 'sysroot'], project)) // of rustup's default toolchain
    const cargoFolder = path.join(userHome, '.cargo')
    const packages = ['registry', 'git'].map((name) => path.join(cargoFolder, name)).filter(isUsable) // not the whole folder, which holds tokens
    if (packages.length === 0) return { folders, env }
    return { folders: [...folders, ...packages], env: { ...env, CARGO_HOME: cargoFolder, CARGO_NET_OFFLINE: 'true' } }
  }
  const neededBy = async (runner: CheckRunner, project: string): Promise<Toolchain[]> => {
    if (runner === 'pytest' || runner === 'unittest') return [await python(project)]
    if (NODE_RUNNERS.has(runner)) return [node(project)]
    if (runner === 'go') return [await go(project)]
    if (runner === 'cargo') return [await rust(project)]
    return GENERAL_RUNNERS.has(runner) ? [...(await Promise.all([python(project), go(project), rust(project)])), node(project)] : []
  }
  /** Where a sandbox can read a folder. If the server runs as root, another user runs the programs inside. */
  const shown = async (place: string): Promise<ReadOnlyFolder | null> => {
    const source = isReadableInSandbox(place) ? place : await copyOf(place)
    return source === null ? null : { place, source }
  }
  return {
    /** A container reads no folder of this machine; it uses the programs of its image. */
    async of(runners: Iterable<CheckRunner>, { backend }: Pick<Place, 'backend'>, project: string): Promise<ShownToolchain> {
      if (!ENGINE_ABILITIES[backend].showsFolders) return { ...NOTHING, folders: [], unseen: null }
      const needed = (await Promise.all([...runners].map((runner) => neededBy(runner, project)))).flat()
      const programs = new Set(needed.flatMap(({ env }) => (env['PATH'] === undefined ? [] : [env['PATH']])))
      const wanted = [...new Set(needed.flatMap(({ folders }) => folders))]
      const folders = await Promise.all(wanted.map(async (folder) => [folder, await shown(folder)] as const))
      const unshown = folders.find(([, one]) => one === null)?.[0]
      return {
        folders: folders.flatMap(([, one]) => one ?? []),
        env: { ...Object.assign({}, ...needed.map(({ env }) => env)), PATH: [...programs, BASE_PATH].join(':') },
        unseen:
          needed.flatMap(({ unseen }) => unseen ?? [])[0] ??
          (unshown === undefined ? null : `${unshown} is in a folder that the user of sandboxes may not enter, and could not be copied.`),
      }
    },
  }
}

/** The installation of a project's virtual environment, read from its configuration, or why none can be shown. Null if it has none. */
async function installationOfVenv(
  project: string,
  userHome: string,
): Promise<{ installation: string | null; unseen: string | null } | null> {
  for (const name of ENVIRONMENTS) {
    const config = await readTextIn(project, `${name}/pyvenv.cfg`, MAX_CONFIG_BYTES)
    if (config === null) continue
    const installation = installationOf(config, userHome)
    if (installation !== null) return { installation, unseen: null }
    const folder = /^home[^\S\n]*=[^\S\n]*(\S.*?)\s*$/m.exec(config)?.[1] ?? 'an unknown folder'
    return {
      installation,
      unseen: `The virtual environment ${name} needs the Python in ${folder.slice(0, 300)}, which a sandbox does not show: it is neither in /usr nor where pyenv, uv, conda or a similar tool of your user installs Pythons.`,
    }
  }
  return null
}

/** The installation in a folder with `bin`. Those in /usr are in the sandbox already; only their programs may not be on its PATH. */
function installationIn(folder: string | null, userHome: string): Toolchain {
  if (folder === null || !path.isAbsolute(folder) || folder === '/' || folder === '/usr') return NOTHING
  if (isWithin(folder, userHome) || folder === path.join(userHome, '.local')) {
    // the folder above ~/bin and ~/.local/bin has the user's other files
    const parts = ['bin', 'lib'].map((name) => path.join(folder, name)).filter(isUsable)
    return parts.length === 0 ? NOTHING : { folders: parts, env: { PATH: path.join(folder, 'bin') } }
  }
  const isPresent = folder.startsWith('/usr/')
  if (!isPresent && !isUsable(folder)) return NOTHING
  return { folders: isPresent ? [] : [folder], env: { PATH: path.join(folder, 'bin') } }
}

const isUsable = (folder: string): boolean =>
  path.isAbsolute(folder) && fs.existsSync(folder) && !WRITABLE.some((place) => isWithin(place, folder))

/** Whether a sandbox can read a folder. If the server runs as root, its sandboxes have another user, who cannot read every folder. */
export function isReadableInSandbox(folder: string): boolean {
  if (WRITABLE.some((place) => isWithin(place, folder))) return false
  if (process.getuid?.() !== 0) return true
  for (let place = folder; place !== '/'; place = path.dirname(place)) if ((fs.statSync(place).mode & 0o001) === 0) return false
  return true
}

export type Toolchains = ReturnType<typeof createToolchains>
