import { findAbandoned } from './chain.ts'
import type { Entry, Part, Rec } from './model.ts'

/** Most entries: one value for all, as a long session has very many. */
const PLAIN: Record<Part['kind'], Part> = Object.fromEntries(
  (['prompt', 'text', 'thinking', 'call', 'notice', 'error', 'compaction'] as const).map((kind) => [
    kind,
    { kind, asks: null, abandoned: false },
  ]),
) as Record<Part['kind'], Part>

/** The parts of the entries of the main conversation; others have the kind they were read with. */
export function partsOf(records: readonly Rec[]): (entry: Entry) => Part {
  const abandoned = findAbandoned(records)
  const parts = new Map<Entry, Part>()
  const walk = new Walk(parts)
  for (const rec of records) walk.add(rec, abandoned.has(rec))
  return (entry) => parts.get(entry) ?? PLAIN[entry.kind]
}

/** Follows the conversation, to tell what began a turn of the model from what it was given during one. */
class Walk {
  private readonly parts: Map<Entry, Part>
  private isAbandoned = false
  /** The model made calls and gets their results next. */
  private isOpen = false
  /** Commands that the model has not answered: client commands such as /model, until it does. */
  private commands: Entry[] = []
  /** Prompts since the last answer. */
  private prompts: { entry: Entry; abandoned: boolean }[] = []

  constructor(parts: Map<Entry, Part>) {
    this.parts = parts
  }

  add(rec: Rec, abandoned: boolean): void {
    if (abandoned !== this.isAbandoned) [this.isOpen, this.commands] = [false, []]
    this.isAbandoned = abandoned
    for (const entry of rec.entries) this.addEntry(entry)
  }

  private addEntry(entry: Entry): void {
    const { kind, given } = entry
    if (kind === 'call' || kind === 'text' || kind === 'thinking') {
      if (kind !== 'thinking') this.isOpen = kind === 'call'
      for (const command of this.commands) this.set(command, 'prompt', null)
      this.commands = []
      this.prompts = this.isAbandoned ? this.prompts.filter((one) => !one.abandoned) : []
    } else if (kind === 'prompt') {
      this.commands = []
      this.addPrompt(entry)
      return
    } else if (given === 'command') {
      this.commands = [entry]
      return
    } else if (given !== null) {
      const command = given === 'meta' ? this.commands[0] : undefined // this is the text behind it
      if (command) this.addPrompt(command)
      this.commands = []
      if (kind === 'compaction' || command) this.isOpen = false
      const isAgain = command !== undefined && this.parts.get(command)?.kind !== 'prompt'
      this.set(entry, kind, this.isOpen ? 'within' : 'begins', isAgain)
      return
    } else if (kind === 'error' || entry.label === 'interrupt') this.isOpen = false
    else if (entry.label === 'command output') this.commands = []
    if (this.isAbandoned) this.set(entry, kind, null)
  }

  /** Of prompts with the same text and no answer in between only one counts: the one on the chain, else the first. */
  private addPrompt(entry: Entry): void {
    const same = entry.textHash === null ? undefined : this.prompts.find((one) => one.entry.textHash === entry.textHash)
    const replaced = same?.abandoned === true && !this.isAbandoned ? same : null
    this.set(entry, same && !replaced ? 'notice' : 'prompt', null, same !== undefined && !replaced)
    if (replaced) this.parts.set(replaced.entry, { kind: 'notice', asks: null, abandoned: true })
    if (!same || replaced) this.prompts = [...this.prompts.filter((one) => one !== replaced), { entry, abandoned: this.isAbandoned }]
  }

  private set(entry: Entry, kind: Part['kind'], asks: Part['asks'], again = false): void {
    this.parts.set(entry, { kind, asks, abandoned: this.isAbandoned || again })
  }
}
