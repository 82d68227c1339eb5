/** The command line that stands in the settings, and the script it calls. */

/** A word of a POSIX shell that means exactly `text`, whatever it holds. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Guarded, so that it outlives its file: with the script gone it does nothing and leaves no trace. */
export const commandFor = (hookFile: string) => `[ -x ${quote(hookFile)} ] && exec ${quote(hookFile)}; exit 0`

const WORD = `'(?:[^']|'\\\\'')*'`
const SHAPE = new RegExp(`^\\[ -x (${WORD}) \\] && exec (${WORD}); exit 0$`)

/** The script that a command of our shape calls, null for any other command. */
export function hookFileOf(command: string): string | null {
  const [, tested, called] = SHAPE.exec(command) ?? []
  if (tested === undefined || tested !== called) return null
  const file = tested.slice(1, -1).replaceAll(`'\\''`, "'")
  return file.endsWith('/hook') ? file : null
}

const HOME_LINE = /^home=.*$/m

/** The script with its data directory written in. Throws when the source has no line to replace. */
export function scriptFor(source: string, dataDir: string): string {
  if (!HOME_LINE.test(source)) throw new Error('The hook script is damaged: no line sets `home`. Reinstall Bash Gym.')
  return source.replace(HOME_LINE, () => `home=${quote(dataDir)}`)
}
