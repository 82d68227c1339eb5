// `npm start`: installs and builds if needed, then opens the app in Electron, otherwise in the browser, otherwise prints its URL.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { downloadElectronOnce, findElectron } from './lib/electron-binary.mjs'
import { openInBrowser } from './lib/open-browser.mjs'
import { ensureBuilt, ensureInstalled, fail, node24, root, withTools } from './lib/setup.mjs'

const args = process.argv.slice(2)
const log = (line) => console.error(line)
/** If Electron exits with an error within this time in ms, the window never opened. */
const AT_ONCE_MS = 10_000
/** Replaces the path of a link file if the browser is already open. */
const OPENED = Symbol('opened')
/** Exit code of the server when another server uses the data directory. */
const LOCKED = 3
const noWindow = args.includes('--browser') || args.includes('--no-open')
const serverArgs = args.filter((argument) => !['--browser', '--no-open'].includes(argument))

ensureInstalled({ log })
ensureBuilt({ log })

const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
const opensBrowser = hasDisplay && !args.includes('--no-open')
const electron = noWindow || !hasDisplay ? null : (findElectron() ?? (await downloadElectronOnce({ log })))

let child = null // the child that this start waits for and forwards signals to
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isEnding = true
    child?.kill('SIGTERM')
  })

if (electron) await window()
else {
  if (hasDisplay && !noWindow) log('The Electron window is not available here; the app opens in the browser.')
  await headless()
}

/** Opens the Electron window. If it fails at once (no sandbox on this system, a missing library), opens the browser instead. */
async function window() {
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const started = Date.now()
  child = spawn(electron, [...sandbox, root, ...serverArgs], { stdio: 'inherit', env: withTools() })
  const { code, why } = await ending(child)
  if (isEnding || code === 0 || Date.now() - started > AT_ONCE_MS) process.exit(code ?? 1)
  log(`The Electron window ended at once (${why}); the same app opens in the browser. \`npm start -- --browser\` goes there directly.`)
  await headless()
}

function ending(started) {
  return new Promise((resolve) => {
    started.once('error', (error) => resolve({ code: null, why: error.message }))
    started.once('exit', (code, signal) => resolve({ code, why: signal ?? `exit code ${code}` }))
  })
}

/** Starts the server, or finds the running one, and shows the app in a browser. */
async function headless() {
  // Without a browser nobody may be there to answer, so the server imports without asking, as `bashgym serve` does.
  const importFlags = opensBrowser ? ['--ask-before-import'] : []
  child = spawn(node24(), [path.join(root, 'dist', 'server', 'main.js'), ...importFlags, ...serverArgs], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: withTools(),
  })
  const end = ending(child)
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const ready = parse(line)
    if (ready?.ready) await show(ready)
    else process.stdout.write(`${line}\n`)
  }
  const { code, why } = await end
  if (code === LOCKED) await show(null)
  else if (code !== 0) fail(`The server ended: ${why}.`)
}

/** `ready` is the server's first line, or null if another server was already running. */
async function show(ready) {
  const { url, file } = ready ? await signInLink(ready, opensBrowser) : await linkOfRunning(opensBrowser)
  if (file === OPENED || (file && openInBrowser(file)))
    console.log('Bash Gym is open in your browser. If not: `npm run -s bashgym -- open --print` writes a link.')
  else console.log(`Bash Gym is running. Open ${url} (works once, within 60 s; \`npm run -s bashgym -- open\` gives a new one).`)
}

/** Gets a link from the running server through `bashgym open`, which opens the browser itself. */
async function linkOfRunning(wantsBrowser) {
  const dataDir = args.includes('--home')
    ? ['--home', args[args.indexOf('--home') + 1]]
    : args.filter((argument) => argument.startsWith('--home='))
  const { stdout } = await capture(node24(), [
    path.join(root, 'dist', 'server', 'bashgym.js'),
    'open',
    ...(wantsBrowser ? [] : ['--print']),
    '--json',
    ...dataDir,
  ])
  const answer = parse(stdout)
  if (!answer?.url)
    fail('Another Bash Gym uses this data directory, and its address could not be read. `npm run -s bashgym -- doctor` shows more.')
  return { url: answer.url, file: answer.opened ? OPENED : null }
}

/** A link that signs in one browser, and a private file that redirects to it, so that no process has the secret in its arguments. */
async function signInLink({ url, tokenFile }, wantsFile) {
  const response = await fetch(`${url}/api/session/link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fs.readFileSync(tokenFile, 'utf8').trim()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ file: wantsFile }),
  })
  if (!response.ok) fail(`The server runs at ${url} but gave no sign-in link (status ${response.status}).`)
  return response.json()
}

function capture(command, parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'inherit'], env: withTools() })
    let stdout = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout }))
  })
}

function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return null // an ordinary line of output
  }
}
