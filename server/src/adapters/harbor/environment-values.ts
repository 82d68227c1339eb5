/** Values of a task's environment. `${NAME:-default}` is a variable of the user, which a run does not get, so its default is used. */
export function withDefaults(env: Readonly<Record<string, string>>): { env: Record<string, string>; missing: string[] } {
  const missing: string[] = []
  const filled = Object.entries(env).map(([name, value]): [string, string] => [
    name,
    value.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, variable: string, fallback?: string) => {
      if (fallback === undefined) missing.push(variable)
      return fallback ?? ''
    }),
  ])
  return { env: Object.fromEntries(filled), missing }
}
