import { type ChildProcess, execFile, spawn } from 'node:child_process'
import readline from 'node:readline'
import { confirmedByToken, confirmationByToken, type Confirmation, isListening, linkByToken } from './sign-in.ts'

/**
 * The server's life as the window shows it. `reason`: why the one before ended; null at the first start. `notice`: what
 * the user should know although all is well.
 */
export type BackendState =
  | { state: 'starting'; reason: string | null }
  | { state: 'ready'; url: string; isOurs: boolean; notice: string | null }
  | { state: 'restarting'; reason: string; inMs: number }
  | { state: 'failed'; reason: string }

export interface Backend {
  current(): BackendState
  /** A link that signs one window in, once. */
  signInLink(): Promise<string>
  /** What a page asks to be confirmed, as the server knows it. */
  confirmation(id: string): Promise<Confirmation>
  confirm(id: string): Promise<void>
  /** After giving up: starts again. */
  retry(): void
  /** Ends the server if it is ours: SIGTERM, then SIGKILL. Resolves when the child has exited. */
  stop(): Promise<void>
}

export interface BackendOptions {
  /** Node 24. */
  node: string
  serverEntry: string
  /** The `bashgym` command, which checks lock and pid before it hands out an address: a foreign process on the port gets no token. */
  cliEntry: string
  dataDir: string
  serverArgs: string[]
  onState: (state: BackendState) => void
  /** What the server says for people. */
  onStderr: (text: string) => void
  /** Wait before the first restart, doubled each time, ms. */
  firstPauseMs?: number
  /** How often a server that is not ours is looked at, ms. */
  watchMs?: number
}

/** Exit codes of the server: another process holds the data directory, or the port. */
const LOCKED = 3
const PORT_TAKEN = 4
const FAILURES_IN_A_MINUTE = 5
const MINUTE_MS = 60_000
/** The server closes what is open within 5 s of the signal; only one that does not is killed. */
const STOP_MS = 7000
const COMMAND_MS = 15_000
/** After its exit a child's last output may still be in the pipe; a grandchild may keep the pipe open longer. */
const LAST_WORDS = 4000
const LAST_WORDS_MS = 500
/**
 * Electron waits for Node's events in its own thread, and now and then does not hear that a callback has opened a
 * socket or a pipe: the sign-in then waited up to 10 s for another event. A timer is such an event.
 */
const PULSE_MS = 200

/**
 * Starts the server as a child and supervises it: an unexpected end is followed by a restart (after 1, 2, 4, 8 s), the
 * fifth within a minute by giving up. A server that has the data directory already is used as it is, left running on
 * quit, and replaced by our own when it ends. Where another program has the port, a free one is taken, unless the command
 * line asks for that very port.
 */
export function startBackend(options: BackendOptions): Backend {
  const { firstPauseMs = 1000, watchMs = 3000 } = options
  let state: BackendState = { state: 'starting', reason: null }
  let child: ChildProcess | null = null
  /** Our own server's first line; null for one that another program started, which is queried through the command. */
  let own: Ready | null = null
  let isStopping = false
  let failures: number[] = []
  /** Another program has the usual port. */
  let isPortTaken = false
  let timer: NodeJS.Timeout | undefined
  let pulse: NodeJS.Timeout | undefined

  const enter = (next: BackendState) => {
    if (isStopping) return
    state = next
    clearInterval(pulse)
    if (next.state === 'starting' || next.state === 'restarting') pulse = setInterval(() => undefined, PULSE_MS)
    options.onState(next)
  }
  const later = (act: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!isStopping) act()
    }, ms)
  }

  const launch = (reason: string | null) => {
    enter({ state: 'starting', reason })
    // Its stdin stays open as long as this process lives: killed with kill -9, the shell leaves no server behind.
    const started = spawn(
      options.node,
      [options.serverEntry, '--end-with-stdin', '--ask-before-import', ...options.serverArgs, ...(isPortTaken ? ['--port', '0'] : [])],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      },
    )
    child = started
    let stderrTail = ''
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderrTail = (stderrTail + text).slice(-LAST_WORDS)
      options.onStderr(text)
    })
    readline.createInterface({ input: started.stdout }).on('line', (line) => {
      const ready = parseReady(line)
      if (!ready || started !== child) return
      own = ready
      enter({ state: 'ready', url: ready.url, isOurs: true, notice: isPortTaken ? otherPort(ready.url) : null })
    })
    const ended = (how: string, code: number | null) => {
      if (started !== child) return
      child = null
      own = null
      if (isStopping) return
      if (code === LOCKED) void useRunning()
      else if (code === PORT_TAKEN && !isPortTaken && !options.serverArgs.includes('--port')) {
        isPortTaken = true
        launch(reason)
      } else failed(`The server stopped: ${how}.${quoted(stderrTail)}`)
    }
    started.once('error', (error) => ended(`it could not be started (${error.message})`, null))
    started.once('exit', (code, signal) => {
      const reportEnd = () => ended(signal ? `it was stopped by ${signal}` : `it exited with code ${code}`, code)
      started.once('close', reportEnd)
      setTimeout(reportEnd, LAST_WORDS_MS)
    })
  }

  const failed = (reason: string) => {
    if (isStopping) return
    const now = Date.now()
    failures = [...failures.filter((at) => now - at < MINUTE_MS), now]
    if (failures.length >= FAILURES_IN_A_MINUTE)
      return enter({ state: 'failed', reason: `${reason} That was the ${FAILURES_IN_A_MINUTE}th time within a minute.` })
    const inMs = firstPauseMs * 2 ** (failures.length - 1)
    enter({ state: 'restarting', reason, inMs })
    later(() => launch(reason), inMs)
  }

  const useRunning = async () => {
    try {
      const { origin } = new URL(await linkOfRunning())
      enter({ state: 'ready', url: origin, isOurs: false, notice: null })
      later(() => void watchRunning(origin), watchMs)
    } catch (error) {
      failed(`Another process is using the data directory and can't be reached: ${(error as Error).message}`)
    }
  }

  const watchRunning = async (url: string) => {
    const isThere = await isListening(url)
    if (isStopping) return
    if (isThere) later(() => void watchRunning(url), watchMs)
    else launch('The server that this window was connected to has stopped.')
  }

  const command = (...args: string[]) => runCommand(options, args)
  const linkOfRunning = async () => {
    const { url } = JSON.parse(await command('open', '--print')) as { url: string }
    return url
  }

  launch(null)
  return {
    current: () => state,
    signInLink: () => (own ? linkByToken(own.url, own.tokenFile) : linkOfRunning()),
    async confirmation(id) {
      if (own) return confirmationByToken(own.url, own.tokenFile, id)
      return JSON.parse(await command('confirm', '--show', id)) as Confirmation
    },
    async confirm(id) {
      if (own) await confirmedByToken(own.url, own.tokenFile, id)
      else await command('confirm', '--yes', id)
    },
    retry() {
      if (state.state !== 'failed') return
      failures = []
      if (child) child.kill('SIGTERM') // it did not sign us in: its end is followed by a restart
      else launch(null)
    },
    stop() {
      isStopping = true
      clearTimeout(timer)
      clearInterval(pulse)
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

const otherPort = (url: string) => `Another program is using Bash Gym's usual port. Until the next start, its address is ${url}.`

/** What a command prints as JSON. It checks that the running server is that of the data directory before it shows it the token. */
function runCommand({ node, cliEntry, dataDir }: BackendOptions, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(node, [cliEntry, ...args, '--json', '--home', dataDir], { timeout: COMMAND_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(lastSentence(stderr) || error.message))
      else resolve(stdout)
    })
  })
}

interface Ready {
  url: string
  tokenFile: string
}

/** The server's first line, `{"ready":true,"url","tokenFile","pid"}`. */
function parseReady(line: string): Ready | null {
  try {
    const value = JSON.parse(line) as (Partial<Ready> & { ready?: boolean }) | null
    return value?.ready && value.url && value.tokenFile ? { url: value.url, tokenFile: value.tokenFile } : null
  } catch {
    return null // an ordinary line of output
  }
}

const quoted = (stderr: string) => {
  const sentence = lastSentence(stderr)
  return sentence && ` It said: ${sentence}`
}

/** Why a child ended, by its stderr: the message of an uncaught error, else the last line. Empty without output. */
export function lastSentence(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^(at |Node\.js v\d|[{}^~]+$)/.test(line))
  return lines.find((line) => /^(Uncaught )?\w*Error\b.*:/.test(line)) ?? lines.at(-1) ?? ''
}
