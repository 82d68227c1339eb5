import type { Readable, Writable } from 'node:stream'
import { actionOf, type Command } from '../../command.ts'
import { create, exec, list, run, start, stop, trajectory } from './actions.ts'
import { PLACE_OPTIONS, SPEC_OPTIONS, SPEC_USAGE } from './options.ts'
import { type ListenSandboxes, SERVE_OPTIONS, serve } from './serve.ts'
import { session } from './session.ts'
import { tui } from './tui/index.ts'

/** Passed in by the composition root. */
export interface SandboxDeps {
  /** Needs neither data directory nor lock. */
  worker: (input: Readable, output: Writable) => Promise<void>
  listen: ListenSandboxes
}

const ACTIONS = ['run', 'session', 'create', 'start', 'exec', 'stop', 'list', 'trajectory', 'tui', 'serve', 'worker'] as const

export const sandboxCommand = (deps: SandboxDeps): Command => ({
  name: 'sandbox',
  usage: `sandbox run [IMAGE] [--mount-copy DIR] [--stdin] -- CMD | session | tui | create [--idempotency-key K] | start ID [--no-wait] | exec ID CMD [--standalone [--stdin]] | stop ID [--remove] | list | trajectory ID | serve [--port N] | worker`,
  summary: 'isolated shells: run one command in a sandbox, or manage sandboxes of the running app; exits with the code of the command',
  splitsRest: true,
  help: () =>
    [
      `run, session and create take: ${SPEC_USAGE}`,
      'All but serve and worker take: [--server URL] [--token-file F], for another Bash Gym server or a service with the SoS protocol. The token can also be in BASHGYM_SANDBOX_TOKEN. It is sent only to a server that proves to know it; --send-token sends it to a service of others, which cannot.',
      '',
      'run: one command in a fresh sandbox, with a copy of DIR as its folder if given; --stdin passes standard input (text) to it. Works without a running app. Ctrl-C stops the command and removes the sandbox.',
      'session: a shell in a fresh sandbox, line by line; Ctrl-C interrupts a command, `exit` or `quit` removes the sandbox.',
      'tui: all sandboxes on a full screen: create, a shell, the trajectory, stop and remove. Its keys are in the last line.',
      'create, start, exec, stop: for a sandbox that stays, so they need the running app or --server. A second create with the same --idempotency-key returns the same sandbox.',
      'exec: Ctrl-C interrupts the command and keeps the session; --standalone runs it in a process of its own.',
      'list, trajectory: with --json as JSON.',
      'serve: the sandbox service alone, for clients with the SoS protocol: [--port 3000] [--host H] [--token-file F] [--max-sandboxes N] [--queue N] [--no-tty]. Clients must send the token in the file that the first line names. What it is started with is the default of each sandbox and the most that a client may ask for: [--memory MB] [--cpus N] [--disk MB] [--pids N] [--command-timeout S] [--timeout S: idle] [--lifetime S] [--network open] [--allow HOST:PORT]… [--allow-image I]… [--backend B] [--profile P]',
      'worker: JSON lines with requests on stdin, JSON lines with answers on stdout.',
    ].join('\n'),
  options: {
    ...SPEC_OPTIONS,
    ...PLACE_OPTIONS,
    ...SERVE_OPTIONS,
    standalone: { type: 'boolean', short: 's' },
    remove: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
    'mount-copy': { type: 'string' },
    stdin: { type: 'boolean' },
    formatted: { type: 'boolean' },
    'idempotency-key': { type: 'string' },
  },
  async run(context) {
    const [action, ...args] = actionOf(context, 'sandbox', ACTIONS)
    const inner = { ...context, args }
    switch (action) {
      case 'run':
        return run(inner)
      case 'session':
        return session(inner)
      case 'create':
        return create(inner)
      case 'start':
        return start(inner)
      case 'exec':
        return exec(inner)
      case 'stop':
        return stop(inner)
      case 'list':
        return list(inner)
      case 'trajectory':
        return trajectory(inner)
      case 'tui':
        return tui(inner)
      case 'serve':
        return serve(inner, deps.listen)
      case 'worker':
        return deps.worker(process.stdin, process.stdout)
    }
  },
})
