import type { BrowserWindow } from 'electron'
import type { BackendState } from './backend.ts'
import { type StatusPage, statusPage } from './status-page.ts'

/** What the window shows: the server's pages, or while there is no server a page of the shell's own. */
export interface View {
  /** The origin whose pages may be shown and may call the shell; null before the first. */
  origin(): string | null
  onBackend(state: BackendState): void
  /** Goes to a path of the app, at once or as soon as there is a page. */
  open(path: string): void
  /** Loads the path that was shown last again. */
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
  let wanted = options.firstPath
  let loading: string | null = null
  let isOnServer = false
  /** Parameters for the server's next page. */
  let notice: string | null = null
  /** False while parts of the page may be missing because the server went away under it. */
  let isWhole = false

  const load = (url: string) => {
    isOnServer = false
    contents.loadURL(url).catch(() => null) // did-fail-load reports it
  }
  const showPage = (page: StatusPage) => {
    if (isOnServer) wanted = pathOf(contents.getURL())
    loading = null
    load(statusPage(page))
  }
  /** Each load of the shell signs the window in: the page exchanges the secret in the fragment, as in a browser. */
  const openWanted = async (state: BackendState) => {
    const link = new URL(await options.signInLink())
    if (backend !== state) return
    if (isOnServer) wanted = pathOf(contents.getURL())
    loading = wanted
    isWhole = false
    load(`${origin}${wanted}${link.hash}`)
  }
  const notSignedIn = (error: Error) =>
    showPage({ title: 'This window is not signed in', text: `Couldn't get a sign-in link: ${error.message}`, retry: 'Try again' })

  contents.on('did-navigate', (_event, url) => {
    isOnServer = origin !== null && url.startsWith(`${origin}/`)
    if (isOnServer && loading !== null && loading !== wanted) contents.send('navigate', wanted)
    loading = null
  })
  contents.on('did-finish-load', () => {
    isWhole = isOnServer && backend.state === 'ready'
    if (isOnServer && notice !== null) contents.send('notice', notice)
  })
  contents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return
    loading = null
    if (backend.state === 'ready')
      showPage({ title: "Couldn't load the page", text: `The server gave no page: ${description} (${code}).`, retry: 'Try again' })
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
    if (isOnServer && isWhole && origin === next) return contents.send('server', null)
    if (isOnServer) wanted = pathOf(contents.getURL())
    isOnServer = false
    origin = next
    notice = state.notice
    await openWanted(state)
  }

  return {
    origin: () => origin,
    onBackend(state) {
      backend = state
      if (state.state === 'ready') {
        void onReady(state).catch(notSignedIn)
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
      else wanted = path
    },
    reload() {
      if (backend.state === 'ready' && origin !== null) void openWanted(backend).catch(notSignedIn)
    },
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
