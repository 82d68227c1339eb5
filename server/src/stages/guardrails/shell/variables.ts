import { HOME } from '../paths.ts'
import { elsewhere, here, type Text } from './text.ts'

/** A command in which a variable may have more values than this is not followed further. */
const MAX_VALUES = 256

/** The command nests or repeats more than can be followed. */
export class TooMuch extends Error {}

/** One value of a variable: its elements, of which a plain variable has one. */
export type Value = readonly Text[]

/** What a shell has of itself, and never is empty. */
const GIVEN: ReadonlyMap<string, string> = new Map([
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
 * Values that variables may have. If it is not known whether an assignment happens, the value before it stays possible;
 * a reader picks one by number.
 */
export class Variables {
  private values = new Map<string, Value[]>()
  /** Which of several possible values is read: 0 is the newest. */
  choice = 0
  /** The most values of any variable that was read. */
  widest = 1
  /** The variable that is being assigned: it is read as its newest value, so that what it gathers does not double. */
  assigning: string | null = null

  get(name: string): Value {
    const values = this.values.get(name)
    if (!values) return [GIVEN.has(name) ? here(GIVEN.get(name)!) : elsewhere]
    if (name === this.assigning) return values.at(-1)!
    this.widest = Math.max(this.widest, values.length)
    return values[Math.max(0, values.length - 1 - this.choice)]!
  }

  isSet(name: string): boolean {
    return this.values.has(name) || GIVEN.has(name)
  }

  set(name: string, value: Value, isCertain: boolean): void {
    const before = isCertain ? [] : (this.values.get(name) ?? [])
    if (before.some((one) => isSame(one, value))) return
    if (before.length >= MAX_VALUES) throw new TooMuch()
    this.values.set(name, [...before, value])
  }

  /** Several values at once, as a loop or `read` gives them. */
  setAny(name: string, values: readonly Value[]): void {
    if (values.length > MAX_VALUES) throw new TooMuch()
    if (values.length > 0) this.values.set(name, [...values])
  }

  unset(name: string): void {
    this.values.set(name, [[]])
  }

  /** Runs `work`; afterwards these variables have the values that they had before. */
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
