/** One bash for a whole session: directory, variables, functions, jobs and descriptors survive from command to command. */
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, Machine } from '#server/adapters/sandbox/index.ts'
import { interrupt, type Interrupted, INTR, stopCommand } from './interrupt.ts'
import { keptOutput } from './kept-output.ts'
import { mentionsErrexit, withoutExitLine, withoutTerminalComplaints } from './own-lines.ts'
import { withoutEscapes } from './plain-text.ts'
import {
  calmLine,
  commandLine,
  endLine,
  ERRORS_FD,
  fileWord,
  handBackLine,
  inlineWord,
  type Markers,
  newMarkers,
  OUTPUT_FD,
  startLine,
  takeOverLine,
} from './protocol.ts'
import { markerScanner } from './scanner.ts'
import { type Shell, type ShellCommand, ShellError, type ShellOptions, type ShellResult, type ShellState } from './types.ts'
import { createTyping, type Typing } from './typing.ts'

const START_TIMEOUT_SEC = 30
const GRACE_SEC = 1
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_BEFORE_BYTES = 64 * 1024
const FIRST_WAIT_SEC = 0.05
/** A shell is asked for this long whether it answers, also on a busy machine; then it is ended. */
const ANSWER_SEC = 3
const INTERRUPT_AGAIN_SEC = 0.15
/** After the end, for output on its way. */
const DRAIN_MS = 1000
/** Line editing would cost a millisecond a command; without it a terminal takes lines of up to 4,096 bytes. */
const BASH = ['bash', '--norc', '--noprofile', '--noediting', '-i']
/** Joined inside, so that the order is kept. */
const JOINED = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh']

type Kept = ReturnType<typeof keptOutput>

interface Running {
  markers: Markers
  /** One for each stream. */
  kept: Kept[]
  /** Streams that have shown the marker of the start, and of the end. */
  started: Set<number>
  over: Set<number>
  /** What came since the command before it. */
  before: string
  status: number | null
  signalSent: ShellResult['signalSent']
  done: PromiseWithResolvers<void>
}

/** Starts a shell in a machine. Throws `ShellError` if it does not start, and what `open` throws. */
export async function openShell(machine: Pick<Machine, 'open' | 'write'>, options: ShellOptions): Promise<Shell> {
  const { terminal, cwd, env, outputFolder, graceSec = GRACE_SEC, startTimeoutSec = START_TIMEOUT_SEC } = options
  const isTerminal = terminal !== null
  const apart = !isTerminal && options.errors === 'apart'
  const argv = isTerminal || apart ? BASH : [...JOINED, ...BASH]
  const channel = await machine.open({ argv, terminal, ...(cwd !== undefined && { cwd }), ...(env && { env }) })
  const fds = apart ? [OUTPUT_FD, ERRORS_FD] : [ERRORS_FD]
  const limits = { folder: outputFolder, maxFileBytes: options.maxOutputFileBytes ?? MAX_FILE_BYTES }

  const listeners = new Set<(bytes: Buffer) => void>()
  let state: ShellState = 'busy'
  let status = 0
  let errexit = false
  let running: Running | null = null
  /** What an interrupt is for; the shell also runs lines of its own. */
  let command: Running | null = null
  let typing: Typing | null = null
  /** What may still be told of ends that were asked for more than once. */
  let pastEnds = new Set<string>()
  let before = keptOutput({ maxBytes: MAX_BEFORE_BYTES, folder: null, maxFileBytes: 0 })

  const takeBefore = () => {
    const { text } = before.end()
    before = keptOutput({ maxBytes: MAX_BEFORE_BYTES, folder: null, maxFileBytes: 0 })
    return text
  }
  const send = (text: string) => void channel.input.write(text)
  const begin = (maxBytes: number): Running => {
    if (running) pastEnds.add(running.markers.end)
    return (running = {
      markers: newMarkers(),
      kept: fds.map(() => keptOutput({ ...limits, maxBytes })),
      started: new Set(),
      over: new Set(),
      before: '',
      status: null,
      signalSent: null,
      done: Promise.withResolvers(),
    })
  }

  const follow = (stream: Readable, index: number) => {
    const isMarker = (digits: string) =>
      digits === running?.markers.start || digits === running?.markers.end || pastEnds.has(digits) || typing?.isMarker(digits) === true
    const scanner = markerScanner(isMarker, {
      bytes(part) {
        if (typing && !typing.shows(part)) return
        for (const listener of listeners) listener(Buffer.from(part))
        if (typing) return
        const isOfCommand = running?.started.has(index) && !running.over.has(index)
        ;(isOfCommand ? running!.kept[index]! : before).add(part)
      },
      marker(digits, value) {
        if (typing?.isMarker(digits)) return typing.marker(digits, value)
        if (digits === running?.markers.start) {
          if (running.started.size === 0) running.before = takeBefore()
          running.started.add(index)
        }
        if (digits !== running?.markers.end || running.over.has(index)) return // it may be reported twice
        running.over.add(index)
        if (index === 0) running.status = Number(value)
        if (running.over.size === fds.length) running.done.resolve()
      },
    })
    stream.on('data', (chunk: Buffer) => scanner.write(chunk))
    return finished(stream, { writable: false })
      .catch(() => undefined) // the end of the process reports the failure
      .then(() => scanner.end())
  }
  channel.input.on('error', () => undefined) // the end of the process reports the failure
  const drained = [channel.output, ...(apart && channel.errors ? [channel.errors] : [])].map(follow)
  const ended = channel.exit.then(async (exit) => {
    await Promise.race([Promise.all(drained), sleep(DRAIN_MS, undefined, { ref: false })])
    state = 'ended'
    typing?.shellEnded(codeOf(exit))
    running?.done.resolve()
    return exit
  })
  ended.catch(() => undefined) // also for who does not wait for it

  const first = begin(MAX_BEFORE_BYTES)
  send(startLine(first.markers, fds, isTerminal))
  await Promise.race([first.done.promise, sleep(startTimeoutSec * 1000, undefined, { ref: false })])
  if (first.status === null) {
    const shown = withoutEscapes(before.end().text).trim().slice(-500)
    await channel.end()
    throw new ShellError('start_failed', `No bash answered in the machine within ${startTimeoutSec} s. It needs bash, and a limit of at least 256 open files. Output so far: ${shown || 'none'}`) // prettier-ignore
  }
  takeBefore() // the first prompt and the echo of the first line are no output of anyone
  const rest = () => {
    pastEnds = new Set(running && [running.markers.end])
    running = null
    if (state !== 'ended') state = 'ready'
  }
  rest()

  const interrupted = (current: Running): Interrupted => ({
    channel,
    isTerminal,
    settled: (seconds) => settled(current.done.promise, seconds),
    askForEnd: () => running === current && send(`\n${endLine(current.markers, fds)}`), // the line may have other text already
    sent: (signal) => void (current.signalSent = signal),
    graceSec,
  })

  /** What a person runs has ended when the shell asks for the next line. */
  const typedInterrupt = (current: Typing): Interrupted => {
    const prompt = Promise.race([current.nextPrompt(), ended.then(() => undefined)])
    return {
      channel,
      isTerminal,
      settled: (seconds) => settled(prompt, seconds),
      askForEnd: () => undefined,
      sent: () => undefined,
      graceSec,
    }
  }

  const interruptAgain = async () => (isTerminal ? void channel.input.write(INTR) : channel.signal('INT', 'all'))
  /**
   * An interrupt that is still on its way would discard the next command. One that came while bash started a program lets that
   * program run on, and one that came while it read a line may leave it within quotes: both are interrupted again.
   */
  const isAnswering = async (line: (markers: Markers) => string) => {
    for (let waitSec = FIRST_WAIT_SEC; waitSec < Math.max(graceSec, ANSWER_SEC); waitSec *= 2) {
      const asked = begin(0)
      if (waitSec > INTERRUPT_AGAIN_SEC) await interruptAgain()
      send(line(asked.markers))
      if (state === 'ended' || (await settled(asked.done.promise, waitSec))) return true
    }
    return false
  }

  const run = async (text: string, timeoutSec: number, maxOutputBytes: number): Promise<ShellResult> => {
    const startedAt = performance.now()
    const word = inlineWord(text) ?? fileWord(await delivered(machine, text), status)
    const current = (command = begin(maxOutputBytes))
    errexit ||= mentionsErrexit(text)
    send(commandLine(word, { markers: current.markers, fds, isTerminal, status }))
    const isDone = await settled(current.done.promise, timeoutSec)
    command = null
    const isDeaf = !isDone && !(await stopCommand(interrupted(current)))
    if (isDeaf) await channel.end()
    if (!isDone && state !== 'ended') await endDescendants(channel, graceSec)
    if (current.signalSent !== null && current.status !== null && !(await isAnswering((markers) => calmLine(markers, fds))))
      await channel.end()
    const end = current.status === null ? await ended : null
    const lost = isDeaf || (end !== null && isLost(end))
    const otherEnd = errexit || end?.signal !== null
    const texts = current.kept.map((kept) => kept.end())
    const clean = (output: string, index: number) => {
      const shown = isTerminal ? withoutEscapes(output) : withoutTerminalComplaints(output)
      return end && !lost && index === texts.length - 1 ? withoutExitLine(shown, text, otherEnd) : shown
    }
    return {
      output: clean(texts[0]!.text, 0),
      errors: apart ? clean(texts[1]!.text, 1) : null,
      before: withoutEscapes(current.before),
      exitCode: lost ? null : (status = current.status ?? codeOf(end!)),
      sessionEnd: lost ? 'lost' : end ? 'exited' : null,
      timedOut: !isDone,
      signalSent: current.signalSent,
      durationMs: performance.now() - startedAt,
      outputBytes: current.kept.reduce((sum, kept) => sum + kept.totalBytes, 0),
      truncated: texts.some(({ truncated }) => truncated),
      outputFile: texts[0]!.file,
    }
  }

  return {
    get state() {
      return state
    },
    ended: ended.then((end) => (isLost(end) ? 'lost' : 'exited')),
    async exec({ command, timeoutSec, maxOutputBytes }: ShellCommand) {
      if (state === 'ended') throw new ShellError('ended', 'The shell has ended, so the command was not run.')
      if (state === 'busy') throw new ShellError('busy', 'Another command is running in this shell.')
      if (command.includes('\0')) throw new ShellError('invalid_command', 'The command contains a NUL character, which bash cannot run.')
      state = 'busy'
      try {
        return await run(command, timeoutSec, maxOutputBytes)
      } finally {
        rest()
      }
    },
    async takeOver(listener) {
      if (!isTerminal) throw new ShellError('no_terminal', 'This shell has no terminal to type into.')
      if (state === 'ended') throw new ShellError('ended', 'The shell has ended.')
      if (state === 'busy') throw new ShellError('busy', 'Another command is running in this shell.')
      state = 'busy'
      typing = createTyping(listener)
      const prompt = typing.nextPrompt()
      send(takeOverLine(typing.markers))
      if (await settled(Promise.race([prompt, ended.then(() => Promise.reject(new Error('ended')))]), startTimeoutSec).catch(() => false))
        return
      await channel.end()
      throw new ShellError('ended', 'The shell did not answer, so it was ended.')
    },
    async handBack() {
      const current = typing
      if (!current || state === 'ended') return
      await stopCommand(typedInterrupt(current)) // at the prompt as well: an interrupt discards a line that was begun
      current.stop()
      if (!(await isAnswering((markers) => handBackLine(markers, fds)))) await channel.end()
      status = current.lastStatus
      typing = null
      rest()
    },
    async interrupt() {
      if (typing) await interrupt(typedInterrupt(typing))
      else if (command) await interrupt(interrupted(command))
    },
    onBytes(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    write(bytes) {
      if (!isTerminal) throw new ShellError('no_terminal', 'This shell has no terminal to type into.')
      channel.input.write(bytes)
    },
    resize: (columns, rows) => channel.resize(columns, rows),
    async end() {
      await channel.end()
      await ended
    },
  }
}

/** Whether it ended in time. */
async function settled(promise: Promise<void>, seconds: number): Promise<boolean> {
  const stop = new AbortController()
  try {
    return await Promise.race([promise.then(() => true), sleep(seconds * 1000, false, { signal: stop.signal })])
  } finally {
    stop.abort()
  }
}

/** Puts a long command into a file inside the machine, of which nothing is left when it runs. */
async function delivered(machine: Pick<Machine, 'write'>, command: string): Promise<string> {
  const file = `/tmp/.${randomBytes(8).toString('hex')}`
  await machine.write(file, Buffer.from(command), 0o600)
  return file
}

/** A command that was stopped leaves nothing running. */
async function endDescendants(channel: Channel, graceSec: number): Promise<void> {
  const until = performance.now() + graceSec * 1000
  while ((await channel.descendants()) > 0 && performance.now() < until) {
    await channel.signal('KILL', 'descendants')
    await sleep(5)
  }
}

/** The engine did not report how it ended. */
const isLost = ({ code, signal }: { code: number | null; signal: string | null }) => code === null && signal === null

/** As in a shell. */
function codeOf({ code, signal }: { code: number | null; signal: string | null }): number {
  return code ?? 128 + (os.constants.signals[signal as NodeJS.Signals] ?? 0) // a name of this system
}
