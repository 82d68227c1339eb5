// Copies the server, its production packages and Node 24 into resources/, then sets Electron's fuses.
import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses'
import fs from 'node:fs'
import path from 'node:path'
import { noticeOf, shippedPackages } from './lib/notices.mjs'
import { node24, root } from './lib/setup.mjs'

/** electron-builder calls this with the unpacked app, before it builds the installers. */
export default async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const isMac = electronPlatformName === 'darwin'
  const isWindows = electronPlatformName === 'win32'
  if (electronPlatformName !== process.platform)
    throw new Error(
      `Packages are made on their own system: this is ${process.platform}, the target ${electronPlatformName} (the server needs its Node and its SQLite).`,
    )
  const name = packager.appInfo.productFilename
  const resources = isMac ? path.join(appOutDir, `${name}.app`, 'Contents', 'Resources') : path.join(appOutDir, 'resources')

  const server = path.join(resources, 'server')
  const places = ['dist/server', 'dist/renderer', 'hooks', 'samples', 'contracts/generated', 'package.json', 'LICENSE']
  const trainers = ['bashgym_trainers', 'locks', 'pyproject.toml'].map((name) => `server/trainers/${name}`)
  for (const place of [...places, ...trainers, 'python/bashgym/bashgym']) {
    const from = path.join(root, place)
    if (!fs.existsSync(from)) throw new Error(`${place} is missing; \`npm run build\` makes dist/.`)
    fs.cpSync(from, path.join(server, place), { recursive: true, filter: (file) => path.basename(file) !== '__pycache__' })
  }
  for (const folder of productionPackages())
    fs.cpSync(path.join(root, folder), path.join(server, folder), { recursive: true, dereference: true })
  fs.writeFileSync(path.join(server, 'THIRD-PARTY-NOTICES.txt'), noticeOf(shippedPackages(root)))
  keepOwnPrebuild(path.join(server, 'node_modules', 'better-sqlite3', 'prebuilds'))

  const node = path.join(resources, 'node', isWindows ? 'node.exe' : 'node')
  fs.mkdirSync(path.dirname(node), { recursive: true })
  fs.copyFileSync(fs.realpathSync(node24()), node)
  fs.chmodSync(node, 0o755)

  const executable = isMac
    ? path.join(appOutDir, `${name}.app`, 'Contents', 'MacOS', name)
    : path.join(appOutDir, isWindows ? `${name}.exe` : packager.executableName)
  const fuses = await getCurrentFuseWire(executable) // older Electron versions have fewer fuses
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: false,
    [FuseV1Options.EnableCookieEncryption]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: false,
    [FuseV1Options.OnlyLoadAppFromAsar]: true,
    // Electron checks the asar's hash on macOS and Windows only, where electron-builder embeds it
    ...((isMac || isWindows) && { [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true }),
    ...(FuseV1Options.GrantFileProtocolExtraPrivileges in fuses && { [FuseV1Options.GrantFileProtocolExtraPrivileges]: false }),
  })
}

/** Folders of the installed production packages, from the lock file. The renderer's packages are already bundled in dist/renderer. */
function productionPackages() {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const folders = Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev && fs.existsSync(path.join(root, place)))
    .map(([place]) => place)
  if (folders.length < 20) throw new Error(`The lock file names only ${folders.length} production packages that are installed.`)
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
}

/** The package contains native builds for every system; this removes all but the one for this system. */
function keepOwnPrebuild(folder) {
  if (!fs.existsSync(folder)) return
  const own = fs.readdirSync(folder).filter((entry) => entry.includes(`${process.platform}-${process.arch}`))
  if (own.length === 0) throw new Error(`No SQLite build for ${process.platform}-${process.arch} in ${folder}.`)
  for (const entry of fs.readdirSync(folder)) if (!own.includes(entry)) fs.rmSync(path.join(folder, entry), { recursive: true })
}
