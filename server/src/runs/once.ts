/**
 * Makes one thing for all calls with the same key, also for those that arrive while the first is still being made. A call whose
 * predecessor failed makes it itself.
 */
export function createOnce<T>(find: (key: string) => T | null) {
  const making = new Map<string, Promise<T>>()
  return async (key: string | undefined, make: () => Promise<T>): Promise<T> => {
    if (key === undefined) return make()
    for (let current = making.get(key); current; current = making.get(key)) await current.catch(() => undefined)
    const found = find(key)
    if (found !== null) return found
    const made = make().finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
}
