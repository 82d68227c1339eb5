import os from 'node:os'

const SIGNALS = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]))

/** The signal in an exit code of a shell; null if the program ended without a signal. */
export const signalOf = (exitCode: number | null) => (exitCode !== null && exitCode > 128 ? (SIGNALS.get(exitCode - 128) ?? null) : null)
