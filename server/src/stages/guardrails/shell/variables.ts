import { HOME } from '../paths.ts'
import { UNKNOWN_TEXT, literalText, type Text } from './text.ts'

/** A command is not followed further if one of its variables may have more values than this. */
const MAX_VALUES = 256

/** The command nests or repeats more than can be followed. */
export class TooMuch extends Error {}

/** One value of a variable as a list of elements; a plain variable has one element. */
export type Value = readonly Text[]

/** Variables that every shell sets. */
const INITIAL_VALUES: ReadonlyMap<string, string> = new Map([
  ['HOME', HOME],
  ['SHELL', '/bin/bash'],
  ['BASH', '/bin/bash'],
  ['0', 'bash'],
  ['TMPDIR', '/tmp'],
  ['USER', 'user'],
  ['LOGNAME', 'user'],
  ['HOSTNAME', 'host'],
  ['PATH', '/usr/bin:/bin'],
  ['IFS', ' \t\n'],
  ...['$', '!', '?', '#', 'UID', 'EUID', 'PPID', 'RANDOM', 'SECONDS', 'LINENO', 'BASHPID'].map((name) => [name, '1'] as const),
])

/**
 * The possible values of variables. If an assignment may not happen, the value before it stays possible; `choice` selects
 * one of the possible values.
 */
export class Variables {
  private values = new Map<string, Value[]>()
  /** The possible value to read: 0 is the newest. */
  choice = 0
  /** The largest number of possible values of a variable that was read. */
  widest = 1
  /** The variable that is being assigned. Reading it gives its newest value, so that `A=$A$A` does not multiply its values. */
  assigning: string | null = null

  get(name: string): Value {
    const values = this.values.get(name)
    if (!values) return [INITIAL_VALUES.has(name) ? literalText(INITIAL_VALUES.get(name)!) : UNKNOWN_TEXT]
    if (name === this.assigning) return values.at(-1)!
    this.widest = Math.max(this.widest, values.length)
    return values[Math.max(0, values.length - 1 - this.choice)]!
  }

  set(name: string, value: Value, isCertain: boolean): void {
    const earlier = isCertain ? [] : (this.values.get(name) ?? [])
    if (earlier.some((existing) => isSame(existing, value))) return
    if (earlier.length >= MAX_VALUES) throw new TooMuch()
    this.values.set(name, [...earlier, value])
  }

  /** Sets several possible values, as for a loop variable or `read`. */
  setPossible(name: string, values: readonly Value[]): void {
    if (values.length > MAX_VALUES) throw new TooMuch()
    if (values.length > 0) this.values.set(name, [...values])
  }

  unset(name: string): void {
    this.values.set(name, [[]])
  }

  /** Runs `work`, then restores these variables. */
  preserving<T>(names: readonly string[], work: () => T): T {
    const before = names.map((name) => [name, this.values.get(name)] as const)
    try {
      return work()
    } finally {
      for (const [name, values] of before) {
        if (values) this.values.set(name, values)
        else this.values.delete(name)
      }
    }
  }
}

const isSame = (a: Value, b: Value) =>
  a.length === b.length && a.every(({ text, origin }, index) => text === b[index]!.text && origin === b[index]!.origin)
