/** The command line in the settings, and the script it calls. */

/** `text` quoted as one word for a POSIX shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** If the script is missing, the command does nothing. */
export const commandFor = (hookFile: string) => `[ -x ${quote(hookFile)} ] && exec ${quote(hookFile)}; exit 0`

const WORD = `'(?:[^']|'\\\\'')*'`
const COMMAND = new RegExp(`^\\[ -x (${WORD}) \\] && exec (${WORD}); exit 0$`)

/** The script that one of our commands calls; null for any other command. */
export function hookFileOf(command: string): string | null {
  const [, tested, called] = COMMAND.exec(command) ?? []
  if (tested === undefined || tested !== called) return null
  const file = tested.slice(1, -1).replaceAll(`'\\''`, "'")
  return file.endsWith('/hook') ? file : null
}

const HOME_LINE = /^home=.*$/m

/** The hook script for a data directory. Throws if the source has no line that sets `home`. */
export function scriptFor(source: string, dataDir: string): string {
  if (!HOME_LINE.test(source)) throw new Error('The hook script is damaged: no line sets `home`. Reinstall Bash Gym.')
  return source.replace(HOME_LINE, () => `home=${quote(dataDir)}`)
}
