/** Lines that an interactive bash itself writes between the output of commands. */

/** Without a terminal, bash writes this when a signal ends a foreground program. */
const TCSETATTR = /^bash: \[\d+: \d+ \(\d+\)\] tcsetattr: Inappropriate ioctl for device\n/gm

/** Whether a command may switch `set -e` on. */
export const mentionsErrexit = (command: string): boolean => ERREXIT.test(command)

export const withoutTerminalComplaints = (text: string): string => text.replaceAll(TCSETATTR, '')

const ERREXIT = /\berrexit\b|\bset\s+-[a-z]*e/
/** Replaces the shell with a program. */
const EXEC = /\bexec\s+[^\s\d<>&{;|]/
/** `exit` where a command begins. */
const EXIT_COMMAND = /(^|[;&|(){}\n]|\b(?:then|do|else|eval)\b)[ \t]*['"]?exit\b/m

/**
 * Removes the line "exit" that bash adds when a command ends the shell. It is the last such line: only a trap and background
 * jobs write after it. `mayLackExitLine`: a signal or `set -e` may have ended the shell, and bash adds no line then.
 */
export function withoutExitLine(text: string, command: string, mayLackExitLine: boolean): string {
  if (EXEC.test(command) || (mayLackExitLine && !EXIT_COMMAND.test(command))) return text
  const at = text.lastIndexOf('\nexit\n') + 1 // 0: not found, or on the first line
  return text.startsWith('exit\n', at) ? text.slice(0, at) + text.slice(at + 'exit\n'.length) : text
}
