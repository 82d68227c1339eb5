/** One step of the schema. `sql` runs in the same transaction that raises `user_version`. */
export interface Migration {
  name: string
  sql: string
}
