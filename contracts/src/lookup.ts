/**
 * An object to be looked up by text from outside (names of models, tools, files, fields). It has no prototype, so
 * "constructor" is not in it, and "__proto__" is a key like any other.
 */
export function lookup<T>(entries: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}

/** What a parsed object itself has under a name from outside; never what its prototype has. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined
}
