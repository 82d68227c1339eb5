/** Values of a task's environment. `${NAME:-default}` means a variable of the user, which a run does not receive. */
export function givenValues(env: Readonly<Record<string, string>>): { env: Record<string, string>; missing: string[] } {
  const missing: string[] = []
  const filled = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, wanted: string, otherwise?: string) => {
      if (otherwise === undefined) missing.push(wanted)
      return otherwise ?? ''
    }),
  ])
  return { env: Object.fromEntries(filled), missing }
}
