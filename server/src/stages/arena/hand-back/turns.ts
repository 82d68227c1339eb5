/** One after the other for a folder. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(root: string, act: () => Promise<T>): Promise<T> {
    const before = last.get(root)
    const own = (async () => {
      await before?.catch(() => {}) // it rejects for its own caller
      return act()
    })()
    last.set(root, own)
    try {
      return await own
    } finally {
      if (last.get(root) === own) last.delete(root)
    }
  }
}

export type InTurn = ReturnType<typeof createTurns>
