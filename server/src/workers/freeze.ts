/** Error prototypes are not included, because libraries set `name` on their errors. */
const SHARED = [Object, Array, Function, String, Number, Boolean, RegExp, Date, Map, Set, WeakMap, Promise, Uint8Array, Buffer]

/** Prevents changes to shared prototypes. A thread reads many sessions, and no session may affect another. */
export function freezePrototypes(): void {
  for (const { prototype } of SHARED) Object.freeze(prototype)
}
