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
export function createCommandFacts(): (text: string, own: readonly OwnCommand[]) => CommandFacts {
  const known = new Map<string, CommandFacts>()
  return (text, own) => {
    if (text.length > CACHED_CHARS) return commandFacts(text, own)
    const key = own.length === 0 ? text : `${text}\0${JSON.stringify(own)}`
    const found = known.get(key)
    if (found) return found
    if (known.size >= CACHED_TEXTS) known.clear()
    const facts = commandFacts(text, own)
    known.set(key, facts)
    return facts
  }
}

function commandFacts(text: string, own: readonly OwnCommand[]): CommandFacts {
  const { opening, structure, commands } = readCommand(text)
  const runs = commands.flatMap(({ words, text: command, decisive }) => {
    const kind = verificationKind(words, own)
    return kind ? [{ command, kind, decisive }] : []
  })
  return { opening, structure, runs }
}
