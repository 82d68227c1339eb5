import { type ChildProcess, execFile, spawn } from 'node:child_process'
import readline from 'node:readline'
import {
  type ActiveRun,
  confirmChange,
  fetchActiveRuns,
  fetchConfirmation,
  type Confirmation,
  isListening,
  createSignInLink,
  stopRun,
} from './sign-in.ts'

/**
 * The server's state as the window shows it. `reason`: why the previous server ended; null at the first start.
 * `notice`: a message for the user that is not an error.
 */
export type BackendState =
  | { state: 'starting'; reason: string | null }
  | { state: 'ready'; url: string; isOurs: boolean; notice: string | null }
  | { state: 'restarting'; reason: string; inMs: number }
  | { state: 'failed'; reason: string }

export interface Backend {
  current(): BackendState
  /** A link that signs in one window and works once. */
  signInLink(): Promise<string>
  /** The change that a page asks to confirm, from the server and not from the page. */
  confirmation(id: string): Promise<Confirmation>
  confirm(id: string): Promise<void>
  /** Runs of agents that end with the server; none if the server was started by somebody else. */
  activeRuns(): Promise<ActiveRun[]>
  stopRuns(runs: readonly ActiveRun[]): Promise<void>
  /** Starts the server again after it failed too often. */
  retry(): void
  /** Ends the server if it is ours: SIGTERM, then SIGKILL. Resolves when the child has exited. */
  stop(): Promise<void>
}

export interface BackendOptions {
  /** Node 24. */
  node: string
  serverEntry: string
  /** The `bashgym` command. It checks lock and pid before it returns an address, so another process on the port gets no token. */
  cliEntry: string
  dataDir: string
  serverArgs: string[]
  onState: (state: BackendState) => void
  onStderr: (text: string) => void
  /** Wait before the first restart, doubled each time, ms. */
  firstPauseMs?: number
  /** Interval for checking a server that this process did not start, ms. */
  watchMs?: number
}

/** Exit codes of the server: another process holds the data directory, or the port. */
const LOCKED = 3
const PORT_TAKEN = 4
const FAILURES_IN_A_MINUTE = 5
const MINUTE_MS = 60_000
/** The server closes everything within 5 s of SIGTERM; after this long it is killed. */
const STOP_MS = 7000
const COMMAND_MS = 15_000
const STDERR_TAIL_LENGTH = 4000
/** After a child's exit, its last output may still be in the pipe. A grandchild can keep the pipe open, so this is the limit. */
const LAST_OUTPUT_MS = 500
/**
 * Electron waits for Node's events in a separate thread and sometimes misses a socket or pipe that a callback opened:
 * the sign-in then waited up to 10 s for the next event. This timer causes such an event.
 */
const WAKE_UP_MS = 200

/**
 * Starts the server as a child and supervises it. After an unexpected end it restarts the server (after 1, 2, 4, 8 s),
 * and gives up at the fifth end within a minute. If another process already serves the data directory, that server is
 * used; it keeps running on quit, and if it ends, we start ours. If another program uses the port, we use a free
 * one, unless the command line names the port.
 */
export function startBackend(options: BackendOptions): Backend {
  const { firstPauseMs = 1000, watchMs = 3000 } = options
  let state: BackendState = { state: 'starting', reason: null }
  let child: ChildProcess | null = null
  /** The server that this process started. Null if another process started it: then it is reached through the command. */
  let ownServer: ReadyServer | null = null
  let isStopping = false
  let failures: number[] = []
  /** Another program uses the usual port. */
  let isPortTaken = false
  let timer: NodeJS.Timeout | undefined
  let wakeUpTimer: NodeJS.Timeout | undefined

  const setState = (next: BackendState) => {
    if (isStopping) return
    state = next
    clearInterval(wakeUpTimer)
    if (next.state === 'starting' || next.state === 'restarting') wakeUpTimer = setInterval(() => undefined, WAKE_UP_MS)
    options.onState(next)
  }
  const runLater = (work: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!isStopping) work()
    }, ms)
  }

  const launch = (reason: string | null) => {
    setState({ state: 'starting', reason })
    // The server ends when its stdin closes, so it ends even if this process is killed with SIGKILL.
    const server = spawn(
      options.node,
      [options.serverEntry, '--end-with-stdin', '--ask-before-import', ...options.serverArgs, ...(isPortTaken ? ['--port', '0'] : [])],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      },
    )
    child = server
    let stderrTail = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderrTail = (stderrTail + text).slice(-STDERR_TAIL_LENGTH)
      options.onStderr(text)
    })
    readline.createInterface({ input: server.stdout }).on('line', (line) => {
      const ready = parseReady(line)
      if (!ready || server !== child) return
      ownServer = ready
      setState({ state: 'ready', url: ready.url, isOurs: true, notice: isPortTaken ? otherPortNotice(ready.url) : null })
    })
    const onEnd = (how: string, code: number | null) => {
      if (server !== child) return
      child = null
      ownServer = null
      if (isStopping) return
      if (code === LOCKED) void useRunningServer()
      else if (code === PORT_TAKEN && !isPortTaken && !options.serverArgs.includes('--port')) {
        isPortTaken = true
        launch(reason)
      } else restartOrGiveUp(`The server stopped: ${how}.${quotedReason(stderrTail)}`)
    }
    server.once('error', (error) => onEnd(`it could not be started (${error.message})`, null))
    server.once('exit', (code, signal) => {
      const reportEnd = () => onEnd(signal ? `it was stopped by ${signal}` : `it exited with code ${code}`, code)
      server.once('close', reportEnd)
      setTimeout(reportEnd, LAST_OUTPUT_MS)
    })
  }

  const restartOrGiveUp = (reason: string) => {
    if (isStopping) return
    const now = Date.now()
    failures = [...failures.filter((at) => now - at < MINUTE_MS), now]
    if (failures.length >= FAILURES_IN_A_MINUTE)
      return setState({ state: 'failed', reason: `${reason} That was the ${FAILURES_IN_A_MINUTE}th time within a minute.` })
    const inMs = firstPauseMs * 2 ** (failures.length - 1)
    setState({ state: 'restarting', reason, inMs })
    runLater(() => launch(reason), inMs)
  }

  const useRunningServer = async () => {
    try {
      const { origin } = new URL(await linkOfRunningServer())
      setState({ state: 'ready', url: origin, isOurs: false, notice: null })
      runLater(() => void watchRunningServer(origin), watchMs)
    } catch (error) {
      restartOrGiveUp(`Another process is using the data directory and can't be reached: ${(error as Error).message}`)
    }
  }

  const watchRunningServer = async (url: string) => {
    const isRunning = await isListening(url)
    if (isStopping) return
    if (isRunning) runLater(() => void watchRunningServer(url), watchMs)
    else launch('The server that this window was connected to has stopped.')
  }

  const command = (...args: string[]) => runCommand(options, args)
  const linkOfRunningServer = async () => {
    const { url } = JSON.parse(await command('open', '--print')) as { url: string }
    return url
  }

  launch(null)
  return {
    current: () => state,
    signInLink: () => (ownServer ? createSignInLink(ownServer.url, ownServer.tokenFile) : linkOfRunningServer()),
    async confirmation(id) {
      if (ownServer) return fetchConfirmation(ownServer.url, ownServer.tokenFile, id)
      return JSON.parse(await command('confirm', '--show', id)) as Confirmation
    },
    async confirm(id) {
      if (ownServer) await confirmChange(ownServer.url, ownServer.tokenFile, id)
      else await command('confirm', '--yes', id)
    },
    activeRuns: () => (ownServer ? fetchActiveRuns(ownServer.url, ownServer.tokenFile) : Promise.resolve([])),
    async stopRuns(runs) {
      const server = ownServer
      if (!server) return
      const ends = await Promise.allSettled(runs.map(({ id }) => stopRun(server.url, server.tokenFile, id)))
      const failed = runs.flatMap(({ title }, index) => {
        const end = ends[index]
        return end?.status === 'rejected' ? [`• ${title}: ${(end.reason as Error).message}`] : []
      })
      if (failed.length > 0) throw new Error(failed.join('\n'))
    },
    retry() {
      if (state.state !== 'failed') return
      failures = []
      if (child) child.kill('SIGTERM') // this server did not sign us in; its end causes a restart
      else launch(null)
    },
    stop() {
      isStopping = true
      clearTimeout(timer)
      clearInterval(wakeUpTimer)
      const running = child
      if (!running || running.exitCode !== null || running.signalCode !== null) return Promise.resolve()
      return new Promise((resolve) => {
        const force = setTimeout(() => running.kill('SIGKILL'), STOP_MS)
        running.once('exit', () => {
          clearTimeout(force)
          resolve()
        })
        running.kill('SIGTERM')
      })
    },
  }
}

const otherPortNotice = (url: string) => `Another program is using Bash Gym's usual port. Until the next start, its address is ${url}.`

/** The JSON that a command prints. The command checks that the running server belongs to the data directory before it sends the token. */
function runCommand({ node, cliEntry, dataDir }: BackendOptions, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(node, [cliEntry, ...args, '--json', '--home', dataDir], { timeout: COMMAND_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(lastSentence(stderr) || error.message))
      else resolve(stdout)
    })
  })
}

interface ReadyServer {
  url: string
  tokenFile: string
}

/** The server's first line, `{"ready":true,"url","tokenFile","pid"}`. */
function parseReady(line: string): ReadyServer | null {
  try {
    const value = JSON.parse(line) as (Partial<ReadyServer> & { ready?: boolean }) | null
    return value?.ready && value.url && value.tokenFile ? { url: value.url, tokenFile: value.tokenFile } : null
  } catch {
    return null // an ordinary line of output
  }
}

const quotedReason = (stderr: string) => {
  const sentence = lastSentence(stderr)
  return sentence && ` It said: ${sentence}`
}

/** Why a child ended, from its stderr: the message of an uncaught error, else the last line. Empty without output. */
export function lastSentence(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^(at |Node\.js v\d|[{}^~]+$)/.test(line))
  return lines.find((line) => /^(Uncaught )?\w*Error\b.*:/.test(line)) ?? lines.at(-1) ?? ''
}
