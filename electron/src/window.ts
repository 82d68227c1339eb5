import { BrowserWindow, type Event, type Session, shell, type WebContents } from 'electron'
import { isFrom } from './origin.ts'
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

/** Pages of the server that are meant for a browser of their own: public and without data. */
const FOR_THE_BROWSER = new Set(['/docs', '/api/openapi.json'])

/** Navigation stays on the server's origin; new windows are refused (web links, which the page has asked about, go to the browser); no webview. */
export function guardContents(contents: WebContents, options: { origin: () => string | null; retry: () => void }): void {
  const keep = (event: Pick<Event, 'preventDefault'>, url: string) => {
    if (url === RETRY_LINK && contents.getURL().startsWith('data:')) options.retry()
    if (!isFrom(url, options.origin())) event.preventDefault()
  }
  contents.on('will-navigate', (event, url) => keep(event, url))
  contents.on('will-redirect', (event, url) => keep(event, url))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const isForBrowser = isFrom(url, options.origin()) ? FOR_THE_BROWSER.has(new URL(url).pathname) : /^https?:\/\//.test(url)
    if (isForBrowser) void shell.openExternal(url)
    return { action: 'deny' }
  })
}

/** No page gets camera, location, notifications or the like; what the shell offers goes through its own calls. */
export function refusePermissions(session: Session): void {
  const ALLOWED = 'clipboard-sanitized-write' // copy buttons
  session.setPermissionRequestHandler((_contents, permission, decide) => decide(permission === ALLOWED))
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED)
  session.setDevicePermissionHandler(() => false)
}
