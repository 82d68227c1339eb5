import { app, type BrowserWindow, Menu, screen, session } from 'electron'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { readStart } from './arguments.ts'
import { type Backend, startBackend } from './backend.ts'
import { confirmChange } from './confirm-change.ts'
import { deepLinkIn, pathOfDeepLink } from './deep-link.ts'
import { registerIpc } from './ipc/handlers.ts'
import { placesOf } from './places.ts'
import { type CaptureTray, createTray } from './tray.ts'
import { createView, type View } from './view.ts'
import { createWindow, guardContents, refusePermissions } from './window.ts'
import { onScreen, readWindowState, writeWindowState } from './window-state.ts'

const { dataDir, serverArgs } = readStart(process.argv.slice(1), { BASHGYM_HOME: process.env.BASHGYM_HOME })

// One instance a data directory: Chromium's own files and the lock of the single instance lie apart for each.
app.setPath('userData', path.join(app.getPath('appData'), 'bashgym', createHash('sha256').update(dataDir).digest('hex').slice(0, 8)))
// As root Chromium starts only with --no-sandbox, which excludes this; the windows themselves are sandboxed in either case (window.ts).
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()

let window: BrowserWindow | null = null
let view: View | null = null
let backend: Backend | null = null
let tray: CaptureTray | null = null
let firstPath = deepLinkIn(process.argv) ?? '/'
let isQuitting = false
let isStopped = false

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, args) => {
    if (isQuitting) app.relaunch() // its server is being ended: the new start comes after
    else show(deepLinkIn(args))
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    show(pathOfDeepLink(url))
  })
  app.on('web-contents-created', (_event, contents) => guardContents(contents, { origin: () => view?.origin() ?? null, retry }))
  app.on('window-all-closed', () => app.quit())
  app.on('will-quit', (event) => {
    if (isStopped || !backend) return
    event.preventDefault()
    if (isQuitting) return
    isQuitting = true
    void backend.stop().finally(() => {
      isStopped = true
      setImmediate(() => app.quit()) // a second quit is ignored while this event is being handled
    })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit())
  void app.whenReady().then(start)
} else app.quit()

function start(): void {
  const places = placesOf({
    appPath: app.getAppPath(),
    resourcesPath: process.resourcesPath,
    isPackaged: app.isPackaged,
    platform: process.platform,
  })
  if (app.isPackaged) app.setAsDefaultProtocolClient('bashgym')
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(process.platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
      { role: 'editMenu' },
      { role: 'viewMenu' },
      { role: 'windowMenu' },
    ]),
  )
  refusePermissions(session.defaultSession)
  registerIpc({
    origin: () => view?.origin() ?? null,
    dataDir,
    tray: () => tray,
    show,
    signIn: () => view?.reload(),
    confirm: (id) => (backend && window ? confirmChange(window, backend, id) : Promise.resolve(false)),
  })
  tray = createTray(places.icon, { show, quit: () => app.quit() })

  const stateFile = path.join(app.getPath('userData'), 'window.json')
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
  const opened = createWindow({ preload: places.preload, icon: places.icon, bounds: onScreen(readWindowState(stateFile), screens) })
  opened.on('close', () => writeWindowState(stateFile, { ...opened.getNormalBounds(), isMaximized: opened.isMaximized() }))
  opened.on('closed', () => (window = view = null))
  window = opened
  view = createView(opened, {
    firstPath,
    logs: path.join(dataDir, 'logs'),
    signInLink: () => backend?.signInLink() ?? Promise.reject(new Error('There is no server yet.')),
  })
  backend = startBackend({
    ...places,
    dataDir,
    serverArgs,
    onStderr: (text) => void process.stderr.write(text),
    onState(state) {
      if (state.state !== 'ready') tray?.set('offline', '')
      view?.onBackend(state)
    },
  })
}

/** Brings the window to the front, on a path of the app when one is given. */
function show(wanted: string | null): void {
  if (!window || !view) {
    firstPath = wanted ?? firstPath
    return
  }
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (wanted !== null) view.open(wanted)
}

/** The link on a page of the shell. */
function retry(): void {
  if (backend?.current().state === 'failed') backend.retry()
  else view?.reload()
}
