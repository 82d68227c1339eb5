/** The union of tables as one table. */
export type Merged<Tables> = (Tables extends unknown ? (tables: Tables) => void : never) extends (all: infer All) => void
  ? { [Name in keyof All]: All[Name] }
  : never

/** Tables of several groups as one. Throws if two of them have the same name. */
export function merged<Table extends object>(tables: readonly Table[]): Merged<Table> {
  const all = new Map<string, unknown>()
  for (const [name, value] of tables.flatMap((table) => Object.entries(table))) {
    if (all.has(name)) throw new Error(`"${name}" is declared twice.`)
    all.set(name, value)
  }
  return Object.fromEntries(all) as Merged<Table> // the tables were checked one by one
}
