/** The type of several tables merged into one. */
export type Merged<Tables> = (Tables extends unknown ? (tables: Tables) => void : never) extends (all: infer All) => void
  ? { [Name in keyof All]: All[Name] }
  : never

/** Merges tables. Throws if a name occurs twice. */
export function merged<Table extends object>(tables: readonly Table[]): Merged<Table> {
  const all = new Map<string, unknown>()
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (all.has(name)) throw new Error(`"${name}" is declared twice.`)
    all.set(name, value)
  }
  return Object.fromEntries(all) as Merged<Table> // the entries come from these tables
}
