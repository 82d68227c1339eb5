import type { TrajectoryEntry } from '#contracts/entities/sandbox.ts'

/** Each command after a `$`, then what it printed, and its code if it is not 0. */
export function trajectoryText(entries: readonly TrajectoryEntry[]): string {
  return entries.map(entryText).join('\n')
}

function entryText({ command, blocked, result }: TrajectoryEntry): string {
  const lines = [`$ ${command.replaceAll('\n', '\n> ')}`]
  if (blocked) return `${lines[0]}\n[blocked by ${blocked.rule ?? 'a guardrail'}: ${blocked.reason}]\n`
  if (result === null) return `${lines[0]}\n[it did not end]\n`
  if (result.output !== '') lines.push(result.output)
  if (result.stderr) lines.push(result.stderr)
  if (result.timedOut) lines.push(`[stopped after its timeout${result.signalSent === null ? '' : ` by SIG${result.signalSent}`}]`)
  if (result.exitCode !== 0) lines.push(`[exit code ${result.exitCode}]`)
  if (result.exited) lines.push('[the session ended]')
  return `${lines.join('\n')}\n`
}
