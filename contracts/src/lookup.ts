/**
 * An object for looking up names from outside (models, tools, files, fields). It has no prototype, so it does not contain
 * "constructor", and "__proto__" is an ordinary key.
 */
export function lookup<T>(entries: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}

/** Reads a property by a name from outside, never one of the prototype. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined
}
