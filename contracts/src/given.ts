type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Without the keys that were left out: for a default that `undefined` must not replace. */
export const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>
