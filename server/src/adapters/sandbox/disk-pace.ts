/** More than programs write to files with one processor; `fallocate`, which needs no time, is refused. */
const BYTES_PER_CPU_SECOND = 2.5e9
const MAX_MS = 1000

/** When to look at the disk usage of a machine again that may still write `remainingBytes`, so that it cannot exceed its limit by much. */
export const msUntilLook = (remainingBytes: number, { cpus, minMs }: { cpus: number; minMs: number }): number =>
  Math.min(Math.max((remainingBytes / (BYTES_PER_CPU_SECOND * cpus)) * 1000, minMs), MAX_MS)
