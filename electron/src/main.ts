import { app, type BrowserWindow, Menu, screen, session } from 'electron'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { readStartArguments } from './arguments.ts'
import { type Backend, startBackend } from './backend.ts'
import { askToConfirm } from './confirm-change.ts'
import { deepLinkIn, pathOfDeepLink } from './deep-link.ts'
import { registerIpc } from './ipc/handlers.ts'
import { askIn, howToLeave } from './leave.ts'
import { productPaths } from './places.ts'
import { type CaptureTray, createTray } from './tray.ts'
import { createView, type View } from './view.ts'
import { createWindow, guardContents, refusePermissions } from './window.ts'
import { withVisiblePosition, readWindowState, writeWindowState } from './window-state.ts'

const { dataDir, serverArgs } = readStartArguments(process.argv.slice(1), { BASHGYM_HOME: process.env.BASHGYM_HOME })

// One instance per data directory: each has a separate folder for Chromium's files and the single-instance lock.
app.setPath('userData', path.join(app.getPath('appData'), 'bashgym', createHash('sha256').update(dataDir).digest('hex').slice(0, 8)))
// As root, Chromium starts only with --no-sandbox, which conflicts with this call; window.ts sandboxes each window anyway.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox()

let window: BrowserWindow | null = null
let view: View | null = null
let backend: Backend | null = null
let tray: CaptureTray | null = null
let firstPath = deepLinkIn(process.argv) ?? '/'
let isQuitting = false
/** Whether the window may close: the user has answered, or a signal ends the app. */
let isLeaving = false
let isAsking = false
let isStopped = false

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', (_event, args) => {
    if (isQuitting) app.relaunch() // the server is stopping, so the new instance must start after this one
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quit)
  void app.whenReady().then(start)
} else app.quit()

function start(): void {
  const paths = productPaths({
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
    confirm: (id) => (backend && window ? askToConfirm(window, backend, id) : Promise.resolve(false)),
  })
  tray = createTray(paths.icon, { show, quit: () => app.quit() })

  const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
  const newWindow = createWindow({
    preload: paths.preload,
    icon: paths.icon,
    bounds: withVisiblePosition(readWindowState(stateFile()), screens),
  })
  newWindow.on('close', (event) => {
    saveState(newWindow)
    if (isLeaving || !backend) return
    event.preventDefault()
    void leave(newWindow, backend)
  })
  newWindow.on('closed', () => (window = view = null))
  window = newWindow
  view = createView(newWindow, {
    firstPath,
    logs: path.join(dataDir, 'logs'),
    signInLink: () => backend?.signInLink() ?? Promise.reject(new Error('There is no server yet.')),
  })
  backend = startBackend({
    ...paths,
    dataDir,
    serverArgs,
    onStderr: (text) => void process.stderr.write(text),
    onState(state) {
      if (state.state !== 'ready') tray?.set('offline', '')
      view?.onBackend(state)
    },
  })
}

const stateFile = () => path.join(app.getPath('userData'), 'window.json')
const saveState = (of: BrowserWindow) => writeWindowState(stateFile(), { ...of.getNormalBounds(), isMaximized: of.isMaximized() })

/** Called when there is nothing left to ask. */
function quit(): void {
  isLeaving = true
  if (window) {
    saveState(window)
    window.destroy() // Chromium loses a close that comes while a page begins to load
  }
  app.quit()
}

/** Called when the user closes the window, or quits. */
async function leave(from: BrowserWindow, server: Backend): Promise<void> {
  if (isAsking) return
  isAsking = true
  const leaving = await howToLeave(server, askIn(from)).finally(() => (isAsking = false))
  if (leaving === 'quit') quit()
  else if (leaving === 'hide') from.hide()
}

/** Brings the window to the front, and opens a path of the app unless it is null. */
function show(appPath: string | null): void {
  if (!window || !view) {
    firstPath = appPath ?? firstPath
    return
  }
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
  if (appPath !== null) view.open(appPath)
}

/** Called for the link on a page of the shell. */
function retry(): void {
  if (backend?.current().state === 'failed') backend.retry()
  else view?.reload()
}
