import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'

/** Runs a program until it prints a matching line, kills it (SIGKILL), and returns all its lines. `index`: lines up to this one. */
export async function killAt(program: string, args: readonly string[], fits: (line: string, index: number) => boolean): Promise<string[]> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (fits(line, lines.length)) child.kill('SIGKILL')
  }
  await ended
  expect(child.signalCode).toBe('SIGKILL')
  return lines
}
