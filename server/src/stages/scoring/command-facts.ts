import { keyOfWords } from './command-key.ts'
import { skipOptions } from '#server/shell/options.ts'
import { readCommand, type StatusSource, type Structure } from './shell/read-command.ts'
import { gitMark, type GitMark } from './verification/git-marks.ts'
import { recognise, type Recognised } from './verification/kinds.ts'
import { INTERPRETERS } from './verification/runner-tables.ts'
import { READ_ONLY } from './verification/tables.ts'
import { toolName, valuesOf } from './verification/wrappers.ts'

/** A simple command of a shell text, with what scoring knows about it. */
export interface CommandFact {
  written: readonly string[]
  /** Without wrappers such as `env` or `time`. */
  words: readonly string[]
  /** For an interpreter, as in `bash FILE ARGS`: the file and the words after it; else empty. */
  file: readonly string[]
  key: string
  text: string
  recognised: Recognised | null
  git: GitMark | null
  isReadOnly: boolean
  status: StatusSource
  followed: boolean
  folder: string | null
}

export interface CommandFacts {
  opening: string[] | null
  structure: Structure
  commands: CommandFact[]
}

const CACHED_TEXTS = 4_096
const CACHED_CHARS = 2_000

/** Parses commands and caches short ones; the cache is emptied when it is full. */
export function createCommandFacts(): (text: string) => CommandFacts {
  const cache = new Map<string, CommandFacts>()
  return (text) => {
    if (text.length > CACHED_CHARS) return commandFacts(text)
    const cached = cache.get(text)
    if (cached) return cached
    if (cache.size >= CACHED_TEXTS) cache.clear()
    const facts = commandFacts(text)
    cache.set(text, facts)
    return facts
  }
}

function commandFacts(text: string): CommandFacts {
  const { opening, structure, commands } = readCommand(text)
  return {
    opening,
    structure,
    commands: commands.flatMap(({ words: written, bare, text: source, status, followed, folder }) => {
      const { words } = bare
      if (words.length === 0) return []
      const name = toolName(words[0]!)
      const isReadOnly = READ_ONLY.has(name)
      const recognised = recognise(bare)
      const file = INTERPRETERS.has(name) ? words.slice(skipOptions(words, 1, valuesOf(name))) : []
      const fact = {
        written,
        words,
        file,
        key: keyOfWords(words),
        text: source,
        recognised,
        git: gitMark(words),
        isReadOnly,
        status,
        followed,
        folder,
      }
      return [fact]
    }),
  }
}
