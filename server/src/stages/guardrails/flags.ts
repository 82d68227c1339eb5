import { UNKNOWN } from './shell/text.ts'

/** The options and operands of a command. An unknown word may be any option. */
export interface Flags {
  operands: string[]
  /** Whether one of the letters (alone or combined: `-rf`) or one of the long names (or a prefix: `--recurs`) is present. */
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
