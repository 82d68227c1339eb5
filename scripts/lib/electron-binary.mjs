// Finds the Electron binary. It never imports the electron module, because importing would start a download.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { node24, root, withTools } from './setup.mjs'

/** The npm package, which downloads its binary separately. */
const PACKAGE = path.join(root, 'node_modules', 'electron')
/** Records the version whose download was tried. It is inside node_modules, so `npm ci` removes it. */
const memoryOf = (folder) => path.join(path.dirname(folder), '.bashgym-electron-tried')

/** Path of the binary, or null. `ELECTRON_OVERRIDE_DIST_PATH` has priority, as in Electron's own start script. */
export function findElectron({ environment = process.env, folder = PACKAGE } = {}) {
  const override = environment.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return existing(path.join(override, executableName()))
  const pointer = path.join(folder, 'path.txt')
  return fs.existsSync(pointer) ? existing(path.join(folder, 'dist', fs.readFileSync(pointer, 'utf8').trim())) : null
}

const existing = (file) => (fs.existsSync(file) ? file : null)
const executableName = () =>
  process.platform === 'win32' ? 'electron.exe' : process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'

/**
 * Tries Electron's own download once per version, so that later starts without a network do not wait again.
 * Ctrl+C skips the download. Resolves with the path of the binary, or null.
 */
export async function downloadElectronOnce({ log, timeoutMs = 60_000, folder = PACKAGE, node = node24() }) {
  const version = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version
  const memory = memoryOf(folder)
  if (fs.existsSync(memory) && fs.readFileSync(memory, 'utf8') === version) return null
  log(`Fetching the Electron window (up to ${timeoutMs / 1000} s, once; Ctrl+C skips it and opens the browser) …`)
  const child = spawn(node, [path.join(folder, 'install.js')], { cwd: folder, env: withTools(), stdio: 'ignore' })
  const started = Date.now()
  const ticker = setInterval(() => log(`  … ${Math.round((Date.now() - started) / 1000)} s`), 10_000)
  const skip = () => child.kill('SIGKILL')
  const timer = setTimeout(skip, timeoutMs)
  process.once('SIGINT', skip)
  await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  clearInterval(ticker)
  clearTimeout(timer)
  process.off('SIGINT', skip)
  fs.writeFileSync(memory, version)
  return findElectron({ environment: {}, folder })
}
