import type { Readable, Writable } from 'node:stream'
import { type Command, UsageError } from '../../command.ts'
import { create, exec, list, run, start, stop, trajectory } from './actions.ts'
import { SPEC_OPTIONS, SPEC_USAGE } from './options.ts'
import { type ListenSandboxes, SERVE_OPTIONS, serve } from './serve.ts'
import { session } from './session.ts'

/** Handed in by the composition root. */
export interface SandboxParts {
  /** Needs neither data directory nor lock. */
  worker: (input: Readable, output: Writable) => Promise<void>
  listen: ListenSandboxes
}

const ACTIONS = ['run', 'session', 'create', 'start', 'exec', 'stop', 'list', 'trajectory', 'serve', 'worker'] as const

export const sandboxCommand = (parts: SandboxParts): Command => ({
  name: 'sandbox',
  usage: `sandbox run [IMAGE] [--mount-copy DIR] -- CMD | session | create | start ID [--no-wait] | exec ID CMD [--standalone] | stop ID [--remove] | list | trajectory ID | serve [--port N] | worker`,
  summary: 'isolated shells: run one command in a sandbox, or keep sandboxes in the running app; exits with the code of the command',
  splitsRest: true,
  help: () =>
    [
      `run, session and create take: ${SPEC_USAGE}`,
      'run: one command in a fresh sandbox, with a copy of DIR as its folder if given. The app need not be open.',
      'session: a shell in a fresh sandbox, line by line; `exit` or `quit` removes it.',
      'serve: the sandbox service alone, for clients that speak the protocol of SoS: [--port 3000] [--host H] [--token-file F] [--max-sandboxes N] [--queue N] [--timeout S] [--lifetime S] [--backend B] [--profile P] [--no-tty]',
      'worker: JSON lines with requests on stdin, JSON lines with answers on stdout.',
    ].join('\n'),
  options: {
    ...SPEC_OPTIONS,
    ...SERVE_OPTIONS,
    standalone: { type: 'boolean', short: 's' },
    remove: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
    'mount-copy': { type: 'string' },
  },
  async run(context) {
    const [action, ...args] = context.args
    const inner = { ...context, args }
    switch (action as (typeof ACTIONS)[number] | undefined) {
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
      case 'serve':
        return serve(inner, parts.listen)
      case 'worker':
        return parts.worker(process.stdin, process.stdout)
      default:
        throw new UsageError(`sandbox must be followed by one of ${ACTIONS.join(', ')}${action === undefined ? '' : `, not "${action}"`}.`)
    }
  },
})
