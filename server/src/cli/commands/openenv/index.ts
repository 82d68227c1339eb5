import { type RawText as Raw, RawText, type TerminalToolCall } from '#contracts/entities/tool-call.ts'
import { actionOf, type Command, type Context, enumOf, onlyOptions } from '../../command.ts'
import { SERVE_OPTIONS, serve } from './serve.ts'
import type { ByteStreams } from '../redact.ts'
import { toText } from '../redact.ts'

/** Handed in by the composition root. */
export interface OpenEnvParts {
  /** Needs neither data directory nor lock. */
  readToolCall: (text: string, raw: Raw | undefined) => Promise<TerminalToolCall>
}

const ACTIONS = ['serve', 'parse-call'] as const

export const openenvCommand = (parts: OpenEnvParts, bytes: ByteStreams): Command => ({
  name: 'openenv',
  usage: `openenv serve [--port 8000] [--max-sessions 64] [--backend B] [--mode M] [--tasks FILE|SPLIT] [--form F] [--reward R] [--token-file F] | parse-call [--raw ${RawText.options.join('|')}]`,
  summary: 'environments for trainers of others',
  help: () =>
    'serve: environments over the OpenEnv protocol, for trainers of others; Ctrl-C stops it. [--host H] [--image I] [--max-turns N] [--allow-task-keys KEY,KEY] [--show-checks] [--command-timeout 45] [--step-timeout 55] [--message-timeout 60] [--check-timeout 120] [--idle-timeout 600]. Beyond this machine it needs --token-file.\nparse-call: the call of the tool `terminal` in the message of a model on standard input, as JSON; exits 1 when it is refused, and nothing is run. --raw says what becomes of text that is no call: plain (the default) takes it as the command, never refuses it, always takes whatever cannot be read as a call.',
  options: { raw: { type: 'string' }, ...SERVE_OPTIONS },
  async run(context) {
    const [action, ...args] = actionOf(context, 'openenv', ACTIONS)
    onlyOptions({ args }, `openenv ${action}`)
    return action === 'serve' ? serve(context) : parseCall(context, parts, bytes)
  },
})

async function parseCall(context: Context, { readToolCall }: OpenEnvParts, bytes: ByteStreams): Promise<number> {
  const raw = enumOf(context.values, 'raw', RawText.options)
  const call = await readToolCall(toText(await bytes.read()), raw)
  context.out(call, () => JSON.stringify(call))
  if (call.error !== undefined) context.note(call.error)
  return call.error === undefined ? 0 : 1
}
