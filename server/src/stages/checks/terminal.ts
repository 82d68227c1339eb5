import { shellWord } from '#server/adapters/tools/shell-words.ts'

/** Each reader of the terminal meets its end, as with an empty input: nobody types. */
const ENDS = 20
/** The system refuses longer arguments. */
const MAX_COMMAND = 50_000

/**
 * A command with a terminal of its own, from which nothing is read; its output stays a pipe, so that no program draws for a screen. Its
 * input is the terminal, unless it needs the given one. Without `script` (util-linux) there is none.
 */
export function inTerminal(command: string, needsInput: boolean): string {
  if (command.length > MAX_COMMAND) return command
  const inner = `exec bash -c ${shellWord(command)} ${needsInput ? '<&5 ' : ''}5<&- >&3 2>&4 3>&- 4>&-`
  // a pipe that stays open: at the end of its input, `script` waits two seconds for somebody to read what is left of it
  const opened = `exec 5<&0 6<> <(:); printf '${'\\004'.repeat(ENDS)}' >&6`
  const started = `script -qefc ${shellWord(inner)} /dev/null <&6 5<&5 6<&- 3>&1 4>&2 >/dev/null`
  return `if [ -w /dev/ptmx ] && command -v script >/dev/null; then\n${opened}; ${started}; exit\nfi\n${command}`
}
