// Installs and builds what the other scripts need. This is plain JavaScript for Node 20, without dependencies.
import { spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..', '..')
export const bin = path.join(root, 'node_modules', '.bin')
const isWindows = process.platform === 'win32'

/** Packages whose install script must run: the script of `node` downloads the Node for this system. */
const WITH_SCRIPTS = ['node']

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']
/** npm 10 does not support allowScripts, so the first command runs no install scripts and the second runs those of WITH_SCRIPTS. */
export const INSTALL = [
  ['ci', '--ignore-scripts', ...QUIET],
  ['rebuild', ...WITH_SCRIPTS, '--ignore-scripts=false', ...QUIET],
]

/** Path of the Node 24 in node_modules. */
export const node24 = () => path.join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')

/** The environment for a child process, with the checkout's Node 24 and tools first on PATH. */
export const withTools = (extra = {}) => ({ ...process.env, PATH: [bin, process.env.PATH].join(path.delimiter), ...extra })

export function run(command, args, options = {}) {
  const { status, error, signal } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: isWindows, ...options })
  if (error) throw error
  return signal ? 1 : (status ?? 1)
}

/** Runs `npm ci` if node_modules differs from the lock file. */
export function ensureInstalled({ log = () => {} } = {}) {
  const [major] = process.versions.node.split('.').map(Number)
  if (major < 20)
    fail(`Node ${process.versions.node} is too old: Bash Gym needs Node 20 or newer to set itself up (it then runs on its own Node 24).`)
  if (isInstalled() && fs.existsSync(node24())) return
  log('Installing what is missing (about a minute the first time) …')
  const [install, rebuild] = INSTALL
  if (run('npm', install) !== 0) fail('npm ci failed; its message is above. Check the network and start again.')
  if (run('npm', rebuild) !== 0)
    fail(`The install script of ${WITH_SCRIPTS.join(', ')} failed; its message is above. Check the network and start again.`)
  const { stdout } = spawnSync(node24(), ['--version'], { encoding: 'utf8' })
  if (!stdout?.startsWith('v24.'))
    fail('The Node of the checkout did not arrive (node_modules/node). Remove node_modules and run `npm ci` and `npm rebuild node`.')
}

/** True if every package of the lock file is installed in its version. Optional packages (binaries of other systems) may be missing. */
export function isInstalled() {
  const installed = packagesIn(path.join(root, 'node_modules', '.package-lock.json'))
  const wanted = packagesIn(path.join(root, 'package-lock.json'))
  if (!installed || !wanted) return false
  return Object.entries(wanted).every(
    ([place, { version, optional, peer }]) => place === '' || (installed[place]?.version ?? null) === version || optional || peer,
  )
}

function packagesIn(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages
  } catch {
    return null // a missing or incomplete file means not installed
  }
}

const BUILT_FROM = ['contracts/src', 'server/src', 'renderer', 'electron/src', 'hooks', 'scripts/build.mjs', 'package-lock.json']

/** Whether dist/ was built from the current sources. Compares contents, not times. */
export const isBuilt = () => read(path.join(root, 'dist', '.built-from')) === sourceHash()

/** Builds if a source file changed since the last build. */
export function ensureBuilt({ log = () => {} } = {}) {
  if (isBuilt()) return
  log('Building …')
  if (run(node24(), ['scripts/build.mjs', '--quiet'], { env: withTools() }) !== 0) fail('The build failed; its message is above.')
}

/** One hash over every file that the build reads. */
export function sourceHash() {
  const files = BUILT_FROM.flatMap((place) => filesOf(path.join(root, place))).filter((file) => !/\.test\.tsx?$/.test(file))
  return hash(files.toSorted((a, b) => (a < b ? -1 : 1)).flatMap((file) => [path.relative(root, file), fs.readFileSync(file)]))
}

function filesOf(place) {
  if (!fs.existsSync(place)) return []
  if (fs.statSync(place).isFile()) return [place]
  return fs
    .readdirSync(place, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
}

function hash(parts) {
  const sum = crypto.createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

function read(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
