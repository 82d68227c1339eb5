import { UNKNOWN } from './shell/text.ts'

/** Options and other words of a command; after `--` nothing is an option. An unknown word may be any option. */
export interface Flags {
  operands: string[]
  /** A letter alone or among others (`-rf`), or a long name or its beginning (`--recurs`). */
  has: (letters: string, ...names: string[]) => boolean
}

export function flagsOf(args: readonly string[]): Flags {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  const options = before.filter((word) => /^-./.test(word))
  const operands = [...before.filter((word) => !/^-./.test(word)), ...(end < 0 ? [] : args.slice(end + 1))]
  return {
    operands,
    has: (letters, ...names) =>
      before.includes(UNKNOWN) ||
      options.some((word) =>
        word.startsWith('--')
          ? names.some((name) => word.length > 4 && name.startsWith(word.slice(2).replace(/=.*$/, '')))
          : Array.from(letters).some((letter) => word.includes(letter, 1)),
      ),
  }
}
