import { type RawText as Raw, RawText, type TerminalToolCall } from '#contracts/entities/tool-call.ts'
import { actionOf, type Command, type Context, enumOf, onlyOptions } from '../../command.ts'
import { SERVE_OPTIONS, serve } from './serve.ts'
import type { ByteStreams } from '../redact.ts'
import { toText } from '../redact.ts'

/** Passed in by the composition root. */
export interface OpenEnvDeps {
  /** Needs neither data directory nor lock. */
  readToolCall: (text: string, raw: Raw | undefined) => Promise<TerminalToolCall>
}

const ACTIONS = ['serve', 'parse-call'] as const

export const openenvCommand = (deps: OpenEnvDeps, bytes: ByteStreams): Command => ({
  name: 'openenv',
  usage: `openenv serve [--port 8000] [--max-sessions 64] [--backend B] [--mode M] [--tasks FILE|SPLIT] [--form F] [--reward R] [--token-file F] | parse-call [--raw ${RawText.options.join('|')}]`,
  summary: 'environments for other trainers',
  help: () =>
    'serve: environments over the OpenEnv protocol, for other trainers; Ctrl-C stops it. [--host H] [--image I] [--max-turns N] [--allow-task-keys KEY,KEY] [--show-checks] [--command-timeout 45] [--step-timeout 55] [--message-timeout 60] [--check-timeout 120] [--idle-timeout 600]. Clients must send the token in the file that the first line names; a --host other than this machine needs --token-file.\nparse-call: reads a model message from standard input and prints its `terminal` tool call as JSON, without running it; exits 1 if the call is refused. --raw decides about text that is not a call: plain (the default) treats it as the command, never refuses it, always also treats unreadable calls as the command.',
  options: { raw: { type: 'string' }, ...SERVE_OPTIONS },
  async run(context) {
    const [action, ...args] = actionOf(context, 'openenv', ACTIONS)
    onlyOptions({ args }, `openenv ${action}`)
    return action === 'serve' ? serve(context) : parseCall(context, deps, bytes)
  },
})

async function parseCall(context: Context, { readToolCall }: OpenEnvDeps, bytes: ByteStreams): Promise<number> {
  const raw = enumOf(context.values, 'raw', RawText.options)
  const call = await readToolCall(toText(await bytes.read()), raw)
  context.out(call, () => JSON.stringify(call))
  if (call.error !== undefined) context.note(call.error)
  return call.error === undefined ? 0 : 1
}
