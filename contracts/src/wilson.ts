const Z_95 = 1.959964

/**
 * 95 % interval of a share of attempts at `tasks` tasks. Attempts at one task are alike, so tasks are what is counted; attempts at
 * a single task vary only by themselves.
 */
export const wilsonOfTasks = (passed: number, attempts: number, tasks: number): { low: number; high: number } | null => {
  const n = tasks > 1 ? Math.min(tasks, attempts) : attempts
  return n === 0 ? null : wilson((passed / attempts) * n, n)
}

/** 95 % Wilson interval (1927) of `passed` out of `n`. It stays within 0 and 1 and is valid for small `n`. Null if `n` is 0. */
export function wilson(passed: number, n: number): { low: number; high: number } | null {
  if (n === 0) return null
  const [p, zz] = [passed / n, Z_95 ** 2]
  const middle = p + zz / (2 * n)
  const reach = Z_95 * Math.sqrt((p * (1 - p) + zz / (4 * n)) / n)
  return {
    low: passed === 0 ? 0 : Math.max(0, (middle - reach) / (1 + zz / n)),
    high: passed === n ? 1 : Math.min(1, (middle + reach) / (1 + zz / n)),
  }
}
