import type { Block, Call } from './blocks.ts'

const MOST = 20
const MAX_CHARS = 120

/** What was done since a prompt, for segments that go on with it: files changed and commands run, newest last. */
export class WorkBefore {
  private prompt: string | null = null
  private steps = 0
  private readonly files = new Set<string>()
  private commands: string[] = []

  add(blocks: readonly Block[]): void {
    for (const { prompts, calls } of blocks) {
      const asked = prompts.at(-1)
      if (asked) this.start(asked.text)
      for (const call of calls) this.done(call)
    }
  }

  /** The prompt again, and a marked summary of what has been done for it; null when nothing was asked yet. */
  opening(): string | null {
    if (this.prompt === null) return null
    const lines = [
      `[Continued. Summary of the work on this before: ${this.steps} ${this.steps === 1 ? 'step' : 'steps'}.`,
      ...listed('Files changed', [...this.files]),
      ...listed('Commands run', this.commands),
    ]
    return `${this.prompt}\n\n${lines.join('\n')}]`
  }

  private start(prompt: string): void {
    this.prompt = prompt
    this.steps = 0
    this.files.clear()
    this.commands = []
  }

  private done(call: Call): void {
    this.steps += 1
    if (call.edits && call.file !== null) this.files.add(call.file)
    if (call.command === null) return
    const line = call.command.trim().split('\n')[0]!
    const short = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
    this.commands.push(call.success === false ? `${short} (failed)` : short)
  }
}

function listed(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const left = items.length - MOST
  return [`${title}: ${left > 0 ? `… ${left} before, ` : ''}${items.slice(-MOST).join('; ')}`]
}
