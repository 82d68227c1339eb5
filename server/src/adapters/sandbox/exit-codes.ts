import os from 'node:os'

const SIGNALS = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]))

/** The signal that an exit code of a shell names; null: the code is the program's own. */
export const signalOf = (exitCode: number | null) => (exitCode !== null && exitCode > 128 ? (SIGNALS.get(exitCode - 128) ?? null) : null)
