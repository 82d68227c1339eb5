/** Lines that an interactive bash writes about itself, which no command printed. */

/** Without a terminal, bash complains so when a program in the foreground is ended by a signal. */
const TCSETATTR = /^bash: \[\d+: \d+ \(\d+\)\] tcsetattr: Inappropriate ioctl for device\n/gm

/** Whether a command may switch `set -e` on. */
export const mentionsErrexit = (command: string): boolean => ERREXIT.test(command)

export const withoutTerminalComplaints = (text: string): string => text.replaceAll(TCSETATTR, '')

const ERREXIT = /\berrexit\b|\bset\s+-[a-z]*e/
/** A program in the place of the shell. */
const EXEC = /\bexec\s+[^\s\d<>&{;|]/
/** `exit` in the place of a command. */
const EXIT_COMMAND = /(^|[;&|(){}\n]|\b(?:then|do|else|eval)\b)[ \t]*['"]?exit\b/m

/**
 * The output of a command that ended the shell, without the line "exit" that bash adds. It is the last such line: only a trap
 * and background jobs write after it. `otherEnd`: a signal or `set -e` may have ended the shell, without that line.
 */
export function withoutExitLine(text: string, command: string, otherEnd: boolean): string {
  if (EXEC.test(command) || (otherEnd && !EXIT_COMMAND.test(command))) return text
  const at = text.lastIndexOf('\nexit\n') + 1 // 0: none, or the first line
  return text.startsWith('exit\n', at) ? text.slice(0, at) + text.slice(at + 'exit\n'.length) : text
}
