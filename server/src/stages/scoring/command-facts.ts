import { commandKey } from './command-key.ts'
import type { CommandOverrides } from './options.ts'
import { readCommand, type Structure } from './shell/read-command.ts'
import { verificationKind, type OwnCommand, type RunKind } from './verification-commands.ts'

export interface CommandFacts {
  opening: string[] | null
  structure: Structure
  runs: { command: string; kind: RunKind; decisive: boolean }[]
}

const CACHED_TEXTS = 4_096
const CACHED_CHARS = 2_000

/** Reads command texts and remembers the short ones; the memory is emptied when it is full. */
export function createCommandFacts(): (text: string, own: readonly OwnCommand[], overrides: CommandOverrides) => CommandFacts {
  const known = new Map<string, CommandFacts>()
  return (text, own, overrides) => {
    if (text.length > CACHED_CHARS || overrides.size > 0) return commandFacts(text, own, overrides)
    const key = own.length === 0 ? text : `${text}\0${JSON.stringify(own)}`
    const found = known.get(key)
    if (found) return found
    if (known.size >= CACHED_TEXTS) known.clear()
    const facts = commandFacts(text, own, overrides)
    known.set(key, facts)
    return facts
  }
}

function commandFacts(text: string, own: readonly OwnCommand[], overrides: CommandOverrides): CommandFacts {
  const { opening, structure, commands } = readCommand(text)
  const keys = overrides.size > 0 ? commandKey(text) : []
  const runs = commands.flatMap(({ words, text: command, decisive }, index) => {
    const verdict = overrides.get(keys[index] ?? '')
    const kind = verdict === 'test' ? 'test' : verdict === 'not_a_run' ? null : verificationKind(words, own)
    return kind ? [{ command, kind, decisive }] : []
  })
  return { opening, structure, runs }
}
