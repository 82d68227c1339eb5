/**
 * How a process that holds the app is started. V8 reads the flag, and the C library the variables, before our first line:
 * less space for garbage, and a freed buffer of 64 kB and more goes back to the system at once (docs/decisions/0034).
 */
export const LAUNCH = {
  flags: ['--max-semi-space-size=8'],
  env: { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' },
} as const

/**
 * Begins this process anew as LAUNCH has it, unless it was begun so: same process id, same streams, same arguments.
 * Called before the app is loaded, when nothing is open yet. Windows cannot replace a process; there it goes on as it is.
 */
export function relaunch(): void {
  if (process.platform === 'win32' || LAUNCH.flags.every((flag) => process.execArgv.includes(flag))) return
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...LAUNCH.flags, ...execArgv, ...argv.slice(1)], { ...process.env, ...LAUNCH.env })
}
