import os from 'node:os'

const SIGNALS = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]))

/** The signal of an exit code as a shell tells it; null where it is a program's own. */
export const signalOf = (exitCode: number | null) => (exitCode !== null && exitCode > 128 ? (SIGNALS.get(exitCode - 128) ?? null) : null)
