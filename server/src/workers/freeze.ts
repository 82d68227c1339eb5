/** What every object inherits from. Prototypes of errors stay open: libraries set `name` on their own errors. */
const SHARED = [Object, Array, Function, String, Number, Boolean, RegExp, Date, Map, Set, WeakMap, Promise, Uint8Array, Buffer]

/**
 * Nothing that is read from outside can change what objects inherit: a thread serves many sessions, and one of them must
 * not be able to spoil the others.
 */
export function freezePrototypes(): void {
  for (const { prototype } of SHARED) Object.freeze(prototype)
}
