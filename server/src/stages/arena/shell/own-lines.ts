/** Lines that an interactive bash writes about itself, which no command printed. */

/** Without a terminal, bash complains so when a program in the foreground is ended by a signal. */
const TCSETATTR = /^bash: \[\d+: \d+ \(\d+\)\] tcsetattr: Inappropriate ioctl for device\n/gm

/** Whether a command may switch `set -e` on. */
export const mentionsErrexit = (command: string): boolean => ERREXIT.test(command)

export const withoutTerminalComplaints = (text: string): string => text.replaceAll(TCSETATTR, '')

/** `set -e` ends the shell without the line, unless the command says `exit` where a command stands. */
const ERREXIT = /\berrexit\b|\bset\s+-[a-z]*e/
/** A program in the place of the shell. */
const EXEC = /\bexec\s+[^\s\d<>&{;|]/
const EXIT_COMMAND = /(^|[;&|(){}\n]|\b(?:then|do|else|eval)\b)\s*['"]?exit\b/m

/**
 * The output of a command that ended the shell, without the line "exit" that bash adds. It is the last such line: only a trap
 * and background jobs write after it. `errexit`: `set -e` may be on.
 */
export function withoutExitLine(text: string, command: string, errexit: boolean): string {
  if (EXEC.test(command) || (errexit && !EXIT_COMMAND.test(command))) return text
  const at = text.startsWith('exit\n') && text.lastIndexOf('\nexit\n') === -1 ? 0 : text.lastIndexOf('\nexit\n') + 1
  return text.startsWith('exit\n', at) ? text.slice(0, at) + text.slice(at + 'exit\n'.length) : text
}
