/**
 * Flags and environment for a process that contains the app. V8 and the C library read them before our code runs. They
 * limit the space for garbage, and return freed buffers of 64 kB and more to the system at once (docs/decisions/0034).
 */
export const LAUNCH = {
  flags: ['--max-semi-space-size=8'],
  env: { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' },
} as const

/**
 * Replaces this process with one that has the flags of LAUNCH, if it lacks them; process id, streams and arguments stay
 * the same. Call it before anything is opened. On Windows, which cannot replace a process, it does nothing.
 */
export function relaunch(): void {
  if (process.platform === 'win32' || LAUNCH.flags.every((flag) => process.execArgv.includes(flag))) return
  const { execPath, execArgv, argv } = process
  process.execve?.(execPath, [execPath, ...LAUNCH.flags, ...execArgv, ...argv.slice(1)], { ...process.env, ...LAUNCH.env })
}
