import type { BrowserWindow } from 'electron'
import type { BackendState } from './backend.ts'
import { type StatusPage, statusPage } from './status-page.ts'

/** The content of the window: the server's pages, or a page of the shell while there is no server. */
export interface View {
  /** The origin whose pages may be shown and may call the shell; null until a server is ready. */
  origin(): string | null
  onBackend(state: BackendState): void
  /** Opens a path of the app, at once or as soon as the server's page is loaded. */
  open(path: string): void
  /** Loads the last shown path again. */
  reload(): void
}

/** Chromium's code for a load that a newer one replaced. */
const ABORTED = -3

export function createView(
  { webContents: contents }: BrowserWindow,
  options: { firstPath: string; logs: string; signInLink: () => Promise<string> },
): View {
  let backend: BackendState = { state: 'starting', reason: null }
  let origin: string | null = null
  let nextPath = options.firstPath
  let loadingPath: string | null = null
  let isOnServer = false
  /** Shown on the server's next page. */
  let notice: string | null = null
  /** False while parts of the page may be missing because the server ended while it loaded. */
  let isComplete = false

  const load = (url: string) => {
    isOnServer = false
    contents.loadURL(url).catch(() => null) // did-fail-load reports it
  }
  const showPage = (page: StatusPage) => {
    if (isOnServer) nextPath = pathOf(contents.getURL())
    loadingPath = null
    load(statusPage(page))
  }
  /** Each load signs the window in: the page exchanges the secret in the link's fragment, as in a browser. */
  const openPath = async (state: BackendState) => {
    const link = new URL(await options.signInLink())
    if (backend !== state) return
    if (isOnServer) nextPath = pathOf(contents.getURL())
    loadingPath = nextPath
    isComplete = false
    load(`${origin}${nextPath}${link.hash}`)
  }
  const showNotSignedIn = (error: Error) =>
    showPage({ title: 'This window is not signed in', text: `Couldn't get a sign-in link: ${error.message}`, retry: 'Try again' })

  contents.on('did-navigate', (_event, url) => {
    isOnServer = origin !== null && url.startsWith(`${origin}/`)
    if (isOnServer && loadingPath !== null && loadingPath !== nextPath) contents.send('navigate', nextPath)
    loadingPath = null
  })
  contents.on('did-finish-load', () => {
    isComplete = isOnServer && backend.state === 'ready'
    if (isOnServer && notice !== null) contents.send('notice', notice)
  })
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return
    loadingPath = null
    if (backend.state === 'ready')
      showPage({
        title: "Couldn't load the page",
        text: `The server did not return the page: ${description} (${code}).`,
        retry: 'Try again',
      })
  })
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    showPage({
      title: 'The page crashed',
      text: `Its process stopped: ${reason}. The server and the archive are not affected.`,
      retry: 'Reload page',
    })
  })

  const onReady = async (state: BackendState & { state: 'ready' }) => {
    const next = new URL(state.url).origin
    if (isOnServer && isComplete && origin === next) return contents.send('server', null)
    if (isOnServer) nextPath = pathOf(contents.getURL())
    isOnServer = false
    origin = next
    notice = state.notice
    await openPath(state)
  }

  return {
    origin: () => origin,
    onBackend(state) {
      backend = state
      if (state.state === 'ready') {
        void onReady(state).catch(showNotSignedIn)
      } else if (state.state === 'failed') {
        showPage({
          title: 'The server is not running',
          text: `${state.reason}\n\nLogs: ${options.logs}\nMore: \`bashgym doctor\`. Archived data is safe.`,
          retry: 'Start server',
        })
      } else if (isOnServer) contents.send('server', state.reason)
      else if (state.state === 'restarting') showPage({ title: 'Restarting the server', text: state.reason })
      else showPage({ title: 'Starting Bash Gym', text: state.reason ?? 'Opening the archive.' })
    },
    open(path) {
      if (isOnServer) contents.send('navigate', path)
      else nextPath = path
    },
    reload() {
      if (backend.state === 'ready' && origin !== null) void openPath(backend).catch(showNotSignedIn)
    },
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
