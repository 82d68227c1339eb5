/** One bash for a whole session: directory, variables, functions, jobs and descriptors survive from command to command. */
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, Machine } from '#server/adapters/sandbox/index.ts'
import { interrupt, type InterruptTarget, INTR, stopCommand } from './interrupt.ts'
import { mentionsErrexit, withoutExitLine, withoutTerminalComplaints } from './bash-notices.ts'
import { createOutputBuffer, type OutputBuffer } from './output-buffer.ts'
import { withoutEscapes } from './plain-text.ts'
import {
  commandLine,
  endLine,
  fileWord,
  flushNoticesLine,
  handBackLine,
  inlineWord,
  type Markers,
  newMarkers,
  startLine,
  takeOverLine,
} from './protocol.ts'
import { markerScanner } from './scanner.ts'
import { type Shell, type ShellCommand, ShellError, type ShellOptions, type ShellResult, type ShellState } from './types.ts'
import { createTyping, type Typing } from './typing.ts'

const START_TIMEOUT_SEC = 30
const GRACE_SEC = 1
const MAX_BEFORE_BYTES = 64 * 1024
const FIRST_WAIT_SEC = 0.05
/** How long a shell may take to answer, even on a busy machine; then it is ended. */
const ANSWER_SEC = 3
const INTERRUPT_AGAIN_SEC = 0.15
/** How long to wait for remaining output after the shell has ended. */
const DRAIN_MS = 1000
/** Without line editing, which costs a millisecond per command; lines on a terminal are then limited to 4,096 bytes. */
const BASH = ['bash', '--norc', '--noprofile', '--noediting', '-i']
/** Errors are merged into the output inside the machine, which keeps their order. */
const MERGED = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh']

interface Running {
  markers: Markers
  output: OutputBuffer
  /** Whether its start marker has been read, and its end marker. */
  isStarted: boolean
  isOver: boolean
  /** Whether the shell prompted without an end marker, so that the marker was requested again. */
  isAskedAgain: boolean
  /** Output since the previous command. */
  before: string
  status: number | null
  signalSent: ShellResult['signalSent']
  done: PromiseWithResolvers<void>
}

/** Starts a shell in a machine. Throws `ShellError` if it does not start, and whatever `open` throws. */
export async function openShell(machine: Pick<Machine, 'open' | 'write'>, options: ShellOptions): Promise<Shell> {
  const { terminal, cwd, graceSec = GRACE_SEC } = options
  const isTerminal = terminal !== null
  const argv = isTerminal ? BASH : [...MERGED, ...BASH]
  const channel = await machine.open({ argv, terminal, ...(cwd !== undefined && { cwd }) })

  const listeners = new Set<(bytes: Buffer) => void>()
  let state: ShellState = 'busy'
  let status = 0
  let errexit = false
  let running: Running | null = null
  /** The command that an interrupt stops; `running` can also be an internal line. */
  let command: Running | null = null
  let typing: Typing | null = null
  /** End markers that may arrive again because they were requested more than once. */
  let pastEnds = new Set<string>()
  /** Prompts report the last command until the next one has begun. */
  let prompts: string[] = []
  let before = createOutputBuffer(MAX_BEFORE_BYTES)

  const takeBefore = () => {
    const { text } = before.end()
    before = createOutputBuffer(MAX_BEFORE_BYTES)
    return text
  }
  const send = (text: string) => void channel.input.write(text)
  const begin = (maxBytes: number): Running => {
    if (running) pastEnds.add(running.markers.end)
    return (running = {
      markers: newMarkers(),
      output: createOutputBuffer(maxBytes),
      isStarted: false,
      isOver: false,
      isAskedAgain: false,
      before: '',
      status: null,
      signalSent: null,
      done: Promise.withResolvers(),
    })
  }

  const readOutput = (stream: Readable) => {
    const isMarker = (digits: string) =>
      digits === running?.markers.start ||
      digits === running?.markers.end ||
      pastEnds.has(digits) ||
      prompts.includes(digits) ||
      typing?.isMarker(digits) === true
    const scanner = markerScanner(isMarker, {
      bytes(part) {
        if (typing && !typing.isVisible(part)) return
        for (const listener of listeners) listener(Buffer.from(part))
        if (typing) return
        const target = running?.isStarted && !running.isOver ? running.output : before
        target.add(part)
      },
      marker(digits, value) {
        if (typing?.isMarker(digits)) return typing.marker(digits, value)
        if (digits === running?.markers.start && !running.isStarted) {
          running.before = takeBefore()
          running.isStarted = true
        }
        if (digits === running?.markers.prompt && !running.isOver && !running.isAskedAgain) {
          running.isAskedAgain = true
          send(endLine(running.markers)) // an error discarded the line with the end
        }
        if (digits !== running?.markers.end || running.isOver) return // an end may be reported twice
        running.isOver = true
        running.status = Number(value)
        running.done.resolve()
      },
    })
    stream.on('data', (chunk: Buffer) => scanner.write(chunk))
    return finished(stream, { writable: false })
      .catch(() => undefined) // the end of the process reports the failure
      .then(() => scanner.end())
  }
  channel.input.on('error', () => undefined) // the end of the process reports the failure
  const drained = readOutput(channel.output)
  const ended = channel.exit.then(async (exit) => {
    await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })])
    state = 'ended'
    typing?.shellEnded(codeOf(exit))
    running?.done.resolve()
    return exit
  })
  ended.catch(() => undefined) // not everyone awaits it

  const first = begin(MAX_BEFORE_BYTES)
  send(startLine(first.markers, isTerminal))
  await Promise.race([first.done.promise, sleep(START_TIMEOUT_SEC * 1000, undefined, { ref: false })])
  if (first.status === null) {
    const shown = withoutEscapes(before.end().text).trim().slice(-500)
    await channel.end()
    throw new ShellError('start_failed', `No bash answered in the machine within ${START_TIMEOUT_SEC} s. It needs bash, and a limit of at least 256 open files. Output so far: ${shown || 'none'}`) // prettier-ignore
  }
  takeBefore() // the first prompt and the echo of the first line belong to no command
  const becomeReady = () => {
    pastEnds = new Set(running && [running.markers.end])
    running = null
    if (state !== 'ended') state = 'ready'
  }
  becomeReady()

  const commandTarget = (current: Running): InterruptTarget => ({
    channel,
    isTerminal,
    endsWithin: (seconds) => resolvesWithin(current.done.promise, seconds),
    requestEnd: () => running === current && send(`\n${endLine(current.markers)}`), // the line may already contain other text
    onSignal: (signal) => void (current.signalSent = signal),
    graceSec,
  })

  /** A typed command has ended when the shell prompts again. */
  const typedTarget = (current: Typing): InterruptTarget => {
    const prompt = Promise.race([current.nextPrompt(), ended.then(() => undefined)])
    return {
      channel,
      isTerminal,
      endsWithin: (seconds) => resolvesWithin(prompt, seconds),
      requestEnd: () => undefined,
      onSignal: () => undefined,
      graceSec,
    }
  }

  const interruptAgain = async () => (isTerminal ? void channel.input.write(INTR) : channel.signal('INT', 'all'))
  /**
   * Waits until the shell answers: a late interrupt would discard the next command. An interrupt during the start of a program
   * lets that program continue, and one during the reading of a line may leave bash inside quotes, so it is sent again.
   */
  const isAnswering = async (line: (markers: Markers) => string) => {
    for (let waitSec = FIRST_WAIT_SEC; waitSec < Math.max(graceSec, ANSWER_SEC); waitSec *= 2) {
      const probe = begin(0)
      if (waitSec > INTERRUPT_AGAIN_SEC) await interruptAgain()
      send(line(probe.markers))
      if (state === 'ended' || (await resolvesWithin(probe.done.promise, waitSec))) return true
    }
    return false
  }

  const run = async (text: string, timeoutSec: number, maxOutputBytes: number): Promise<ShellResult> => {
    const startedAt = performance.now()
    const word = inlineWord(text) ?? fileWord(await writeCommandFile(machine, text), status)
    const current = (command = begin(maxOutputBytes))
    prompts = [...prompts.slice(-1), current.markers.prompt]
    errexit ||= mentionsErrexit(text)
    send(commandLine(word, { markers: current.markers, isTerminal, status }))
    const isDone = await resolvesWithin(current.done.promise, timeoutSec)
    command = null
    const isUnresponsive = !isDone && !(await stopCommand(commandTarget(current)))
    if (isUnresponsive) await channel.end()
    if (!isDone && state !== 'ended') await endDescendants(channel, graceSec)
    if (current.signalSent !== null && current.status !== null && !(await isAnswering(flushNoticesLine))) await channel.end()
    const end = current.status === null ? await ended : null
    const lost = isUnresponsive || (end !== null && isLost(end))
    const mayLackExitLine = errexit || end?.signal !== null
    const { text: rawOutput, truncated } = current.output.end()
    const output = isTerminal ? withoutEscapes(rawOutput) : withoutTerminalComplaints(rawOutput)
    return {
      output: end && !lost ? withoutExitLine(output, text, mayLackExitLine) : output,
      before: withoutEscapes(current.before),
      exitCode: lost ? null : (status = current.status ?? codeOf(end!)),
      sessionEnd: lost ? 'lost' : end ? 'exited' : null,
      timedOut: !isDone,
      signalSent: current.signalSent,
      durationMs: performance.now() - startedAt,
      outputBytes: current.output.totalBytes,
      truncated,
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
        becomeReady()
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
      if (
        await resolvesWithin(Promise.race([prompt, ended.then(() => Promise.reject(new Error('ended')))]), START_TIMEOUT_SEC).catch(
          () => false,
        )
      )
        return
      await channel.end()
      throw new ShellError('ended', 'The shell did not answer, so it was ended.')
    },
    async handBack() {
      const current = typing
      if (!current || state === 'ended') return
      await stopCommand(typedTarget(current)) // even at the prompt: an interrupt discards an unfinished line
      current.stop()
      if (!(await isAnswering(handBackLine))) await channel.end()
      status = current.lastStatus
      typing = null
      becomeReady()
    },
    async interrupt() {
      if (typing) await interrupt(typedTarget(typing))
      else if (command) await interrupt(commandTarget(command))
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

async function resolvesWithin(promise: Promise<void>, seconds: number): Promise<boolean> {
  const stop = new AbortController()
  try {
    return await Promise.race([promise.then(() => true), sleep(seconds * 1000, false, { signal: stop.signal })])
  } finally {
    stop.abort()
  }
}

/** Writes a long command to a file inside the machine; the shell removes it before running the command. */
async function writeCommandFile(machine: Pick<Machine, 'write'>, command: string): Promise<string> {
  const file = `/tmp/.${randomBytes(8).toString('hex')}`
  await machine.write(file, Buffer.from(command), 0o600)
  return file
}

/** Ends everything that a stopped command left running. */
async function endDescendants(channel: Channel, graceSec: number): Promise<void> {
  const until = performance.now() + graceSec * 1000
  while ((await channel.descendants()) > 0 && performance.now() < until) {
    await channel.signal('KILL', 'descendants')
    await sleep(5)
  }
}

/** Whether the engine did not report how the shell ended. */
const isLost = ({ code, signal }: { code: number | null; signal: string | null }) => code === null && signal === null

/** The exit code as a shell would report it. */
function codeOf({ code, signal }: { code: number | null; signal: string | null }): number {
  return code ?? 128 + (os.constants.signals[signal as NodeJS.Signals] ?? 0) // a signal name of this system
}
