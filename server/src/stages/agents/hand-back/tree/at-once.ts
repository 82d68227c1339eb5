/** Disks answer several calls faster than one after the other. */
const AT_ONCE = 8

/** Works on some items at a time, and waits for all of them, also after an error: nothing goes on behind the caller. */
export async function atOnce<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const waiting = items.entries()
  let failure: { error: unknown } | null = null
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failure !== null) return
      await work(item, index).catch((error: unknown) => void (failure ??= { error }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (failure !== null) throw (failure as { error: unknown }).error
}
