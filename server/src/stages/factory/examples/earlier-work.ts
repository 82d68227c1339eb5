import { type Block, type Call, isAsk } from './blocks.ts'

const MAX_ITEMS = 20
const MAX_CHARS = 120

/** Files changed and commands run since the last prompt, for segments that continue its work. */
export class EarlierWork {
  private prompt: string | null = null
  private steps = 0
  private readonly files = new Set<string>()
  private commands: string[] = []

  add(blocks: readonly Block[]): void {
    for (const { prompts, calls } of blocks) {
      if (prompts.some(isAsk)) this.addPrompt(prompts.flatMap((prompt) => (isAsk(prompt) ? [prompt.text] : [])).join('\n\n'))
      for (const call of calls) this.addCall(call)
    }
  }

  /** The last prompt with a marked summary of the work so far; null before the first prompt. */
  opening(): string | null {
    if (this.prompt === null) return null
    const lines = [
      `[Continued. Summary of the work on this before: ${this.steps} ${this.steps === 1 ? 'step' : 'steps'}.`,
      ...listLine('Files changed', [...this.files]),
      ...listLine('Commands run', this.commands),
    ]
    return `${this.prompt}\n\n${lines.join('\n')}]`
  }

  private addPrompt(prompt: string): void {
    this.prompt = prompt
    this.steps = 0
    this.files.clear()
    this.commands = []
  }

  private addCall(call: Call): void {
    this.steps += 1
    if (call.edits && call.file !== null) this.files.add(call.file)
    for (const file of call.changed) this.files.add(file)
    if (call.command === null) return
    const line = call.command.trim().split('\n')[0]!
    const short = line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line
    this.commands.push(call.success === false ? `${short} (failed)` : short)
  }
}

function listLine(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const omitted = items.length - MAX_ITEMS
  return [`${title}: ${omitted > 0 ? `… ${omitted} before, ` : ''}${items.slice(-MAX_ITEMS).join('; ')}`]
}
