import { SandboxSpec, type Sandbox } from '#contracts/entities/sandbox.ts'
import type { ShellTask, ShellTaskCheck } from '#contracts/entities/shell-task.ts'
import { SHELL_TASK_LABEL } from '#contracts/shell-task-label.ts'
import { AppError } from '#contracts/errors.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { toCheckOutcome } from './attempt.ts'
import { TASK_GUARD } from './guard.ts'

/** A check that takes longer has no result. */
const CHECK_SEC = 120
const TAIL_BYTES = 16_384

/** Opens a sandbox with the set-up of a task for a person. Removes it if it cannot start. */
export async function openByHand(sandboxes: Sandboxes, { id, setup }: ShellTask, signal: AbortSignal): Promise<Sandbox> {
  const name = `Shell task ${id}`.slice(0, 100)
  const spec = SandboxSpec.parse({ name, labels: { [SHELL_TASK_LABEL]: id }, setupCommands: setup, guard: TASK_GUARD })
  const sandbox = await sandboxes.create(spec)
  try {
    return await sandboxes.start(sandbox.id, { wait: true }, signal)
  } catch (error) {
    await sandboxes.stop(sandbox.id, true)
    throw error
  }
}

/** Runs the check of a task in the sandbox where a person worked on it; the session stays open. */
export async function checkByHand(
  sandboxes: Sandboxes,
  { id, check }: ShellTask,
  sandboxId: string,
  signal: AbortSignal,
): Promise<ShellTaskCheck> {
  if (sandboxes.get(sandboxId).labels[SHELL_TASK_LABEL] !== id)
    throw new AppError('invalid_request', {
      message: `The sandbox ${sandboxId} was not opened for the shell task ${id}.`,
      hint: 'Open one with "Run by hand".',
    })
  const request = { command: check, session: 'main', standalone: true, wait: true, timeoutSec: CHECK_SEC, maxOutputBytes: TAIL_BYTES }
  const { passed, exitCode, timedOut, output, durationMs } = toCheckOutcome(await sandboxes.exec(sandboxId, request, signal))
  return { solved: passed, exitCode, timedOut, outputTail: output, durationMs }
}
