import { BrowserWindow, type Event, type Session, shell, type WebContents } from 'electron'
import { hasOrigin } from './origin.ts'
import { RETRY_LINK } from './status-page.ts'
import type { WindowState } from './window-state.ts'

/** A window that can show the server's pages and nothing else. */
export function createWindow({ preload, icon, bounds }: { preload: string; icon: string; bounds: WindowState }): BrowserWindow {
  const { isMaximized, ...place } = bounds
  const window = new BrowserWindow({
    ...place,
    minWidth: 800,
    minHeight: 560,
    show: false,
    title: 'Bash Gym',
    icon,
    backgroundColor: '#0e1013',
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      spellcheck: false,
    },
  })
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize()
    window.show()
  })
  return window
}

/** Pages of the server that open in the browser: they are public and have no data. */
const BROWSER_PAGES = new Set(['/docs', '/api/openapi.json'])

/** Keeps navigation on the server's origin, and refuses new windows and webviews. Web links open in the browser; the page asks the user first. */
export function guardContents(contents: WebContents, options: { origin: () => string | null; retry: () => void }): void {
  const keepOnServer = (event: Pick<Event, 'preventDefault'>, url: string) => {
    if (url === RETRY_LINK && contents.getURL().startsWith('data:')) options.retry()
    if (!hasOrigin(url, options.origin())) event.preventDefault()
  }
  contents.on('will-navigate', (event, url) => keepOnServer(event, url))
  contents.on('will-redirect', (event, url) => keepOnServer(event, url))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const isForBrowser = hasOrigin(url, options.origin()) ? BROWSER_PAGES.has(new URL(url).pathname) : /^https?:\/\//.test(url)
    if (isForBrowser) void shell.openExternal(url)
    return { action: 'deny' }
  })
}

/** Refuses camera, location, notifications and similar to every page; a page calls the shell through IPC instead. */
export function refusePermissions(session: Session): void {
  const ALLOWED = 'clipboard-sanitized-write' // copy buttons
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(permission === ALLOWED))
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED)
  session.setDevicePermissionHandler(() => false)
}
