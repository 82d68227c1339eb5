import fc from 'fast-check'

/** For tests: what happens in a made-up session of Claude Code. */
type Act =
  | { kind: 'turn'; begin: (typeof BEGINNINGS)[number]; calls: number[]; nextOn: number; queued: boolean; tries: number }
  | { kind: 'rewind'; back: number }
  | { kind: 'compact' }
  | { kind: 'copy'; of: number; how: 'mark' | 'keys' | 'time' }

const BEGINNINGS = ['prompt', 'command', 'bare command', 'shell', 'stop hook', 'notification', 'message'] as const

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      begin: fc.constantFrom(...BEGINNINGS),
      calls: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
      nextOn: fc.nat(2),
      queued: fc.boolean(),
      tries: fc.constantFrom(1, 1, 1, 2, 3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rewind' as const), back: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('copy' as const),
      of: fc.nat(),
      how: fc.constantFrom('mark' as const, 'keys' as const, 'time' as const),
    }),
  },
)

export const conversations: fc.Arbitrary<Act[]> = fc.array(act, { minLength: 1, maxLength: 14 })

export interface MadeSession {
  lines: string[]
  /** The conversations that the model had on the final chain, one for each compaction and one after: their marks, in order. */
  paths: string[][]
  abandonedTurns: number
  prompts: number
}

/** Every text, call and output of the session has a mark of its own, such as «u3». */
export const MARK = /«\w+»/g

/** Writes the transcript, and what is right about it. */
export function sessionOf(id: string, acts: readonly Act[]): MadeSession {
  const session = new Session(id)
  for (const one of acts) session.act(one)
  return session.made()
}

interface Turn {
  parent: string | null
  pathLength: number
  isTyped: boolean
}

class Session {
  private readonly id: string
  private readonly records: Record<string, unknown>[] = []
  private count = 0
  private leaf: string | null = null
  private readonly done: string[][] = []
  private path: string[] = []
  private turns: Turn[] = []
  private abandonedTurns = 0
  private prompts = 0
  private isRewound = false

  constructor(id: string) {
    this.id = id
  }

  act(one: Act): void {
    if (one.kind === 'turn') this.turn(one)
    else if (one.kind === 'rewind') this.rewind(one.back)
    else if (one.kind === 'compact') this.compact()
    else this.copy(one)
  }

  made(): MadeSession {
    return {
      lines: this.records.map((record) => JSON.stringify(record)),
      paths: [...this.done, this.path],
      abandonedTurns: this.abandonedTurns,
      prompts: this.prompts,
    }
  }

  private mark(letter: string): string {
    return `«${letter}${(this.count += 1)}»`
  }

  private add(type: string, parent: string | null, fields: object): string {
    const uuid = `${this.id}-${this.records.length}`
    const timestamp = new Date(Date.UTC(2026, 10, 1, 10) + this.records.length * 1000).toISOString()
    const common = {
      parentUuid: parent,
      isSidechain: false,
      cwd: '/home/dev/app',
      sessionId: this.id,
      version: '2.1.250',
      gitBranch: 'main',
    }
    this.records.push({ ...common, uuid, timestamp, type, ...fields })
    return uuid
  }

  private user(content: unknown, fields: object = {}): string {
    return (this.leaf = this.add('user', this.leaf, { message: { role: 'user', content }, ...fields }))
  }

  private answer(message: string, block: object): string {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const rest = { role: 'assistant', model: 'claude-opus-4-5', content: [block], usage }
    return (this.leaf = this.add('assistant', this.leaf, { requestId: `r${message}`, message: { id: message, ...rest } }))
  }

  private turn({ begin, calls, nextOn, queued, tries }: Extract<Act, { kind: 'turn' }>): void {
    const isTyped = begin === 'prompt' || begin === 'command' || begin === 'bare command' || begin === 'shell'
    const start = this.leaf
    this.turns.push({ parent: start, pathLength: this.path.length, isTyped })
    if (isTyped) this.prompts += 1
    this.isRewound = false
    const ask = this.asking(begin)
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      if (attempt > 1 && begin === 'prompt') {
        this.leaf = this.add('assistant', this.leaf, {
          isApiErrorMessage: true,
          message: {
            id: `e${this.records.length}`,
            role: 'assistant',
            model: '<synthetic>',
            content: [{ type: 'text', text: 'API Error' }],
          },
        })
        if (attempt === 2) this.leaf = start // sent again beside the first
      }
      if (attempt === 1 || begin === 'prompt') ask()
    }
    for (const [index, parallel] of calls.entries()) this.response(parallel, nextOn, queued && index === 0)
    const text = this.mark('t')
    this.answer(`m${this.records.length}`, { type: 'text', text })
    this.path.push(text)
  }

  /** Writes what begins a turn; returned so that it can be written again. */
  private asking(begin: (typeof BEGINNINGS)[number]): () => void {
    const [first, second] = [this.mark('u'), this.mark('u')]
    this.path.push(first)
    const command = `<command-message>go</command-message>\n<command-name>/go</command-name>\n<command-args>${first}</command-args>`
    switch (begin) {
      case 'prompt':
        return () => void this.user(`Do ${first}`)
      case 'command':
        this.path.push(second)
        return () => {
          this.user(command)
          this.user([{ type: 'text', text: `Expanded ${second}` }], { isMeta: true })
        }
      case 'bare command':
        return () => void this.user(command)
      case 'shell':
        this.path.push(second)
        return () => {
          this.user(`<bash-input>echo ${first}</bash-input>`)
          this.user(`Now ${second}`)
        }
      case 'stop hook':
        return () => void this.user(`Stop hook feedback:\n[check]: fix ${first}`, { isMeta: true })
      case 'notification':
        return () => void this.user(`<task-notification><summary>${first} finished</summary></task-notification>`)
      default:
        return () => void this.user(`<teammate-message teammate_id="lead">\n${first}\n</teammate-message>`)
    }
  }

  private response(parallel: number, nextOn: number, isQueued: boolean): void {
    const message = `m${this.records.length}`
    const text = this.mark('t')
    this.answer(message, { type: 'text', text })
    this.path.push(text)
    const calls = Array.from({ length: parallel }, () => {
      const command = this.mark('c')
      const toolUse = `toolu_${this.id}_${this.count}`
      this.path.push(command)
      return {
        toolUse,
        record: this.answer(message, { type: 'tool_use', id: toolUse, name: 'Bash', input: { command: `echo ${command}` } }),
      }
    })
    const results = calls.map(({ toolUse, record }) => {
      const output = this.mark('o')
      this.path.push(output)
      const content = [{ type: 'tool_result', tool_use_id: toolUse, content: output }]
      const toolUseResult = { stdout: output, stderr: '', interrupted: false, isImage: false }
      return this.add('user', record, { message: { role: 'user', content }, toolUseResult })
    })
    this.leaf = results[nextOn % results.length]!
    if (!isQueued) return
    const queued = this.mark('u')
    this.leaf = this.add('attachment', this.leaf, {
      attachment: { type: 'queued_command', prompt: `Also ${queued}`, commandMode: 'prompt' },
    })
    this.path.push(queued)
    this.prompts += 1
    this.queuedIn.set(this.turns.length - 1, (this.queuedIn.get(this.turns.length - 1) ?? 0) + 1)
  }
  private readonly queuedIn = new Map<number, number>()

  /** The user goes back to before a turn; it shows in the transcript with the next turn. */
  private rewind(back: number): void {
    const at = this.turns.length - 1 - back
    const turn = this.turns[at]
    if (!turn || this.isRewound) return
    this.isRewound = true
    this.leaf = turn.parent
    this.path = this.path.slice(0, turn.pathLength)
    for (const [index, { isTyped }] of this.turns.entries())
      if (index >= at) this.abandonedTurns += Number(isTyped) + (this.queuedIn.get(index) ?? 0)
    for (let index = at; index < this.turns.length; index += 1) this.queuedIn.delete(index)
    this.turns = this.turns.slice(0, at)
    this.turn({ kind: 'turn', begin: 'prompt', calls: [1], nextOn: 0, queued: false, tries: 1 })
  }

  private compact(): void {
    if (this.leaf === null) return
    const logicalParentUuid = this.leaf
    this.leaf = this.add('system', null, { subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid })
    const summary = this.mark('s')
    this.user(`This session is being continued. ${summary}`, { isCompactSummary: true })
    this.done.push(this.path)
    this.path = [summary]
    this.turns = []
    this.queuedIn.clear()
  }

  private copy({ of, how }: Extract<Act, { kind: 'copy' }>): void {
    if (this.records.length === 0) return
    const record = this.records[of % this.records.length]!
    if (how === 'mark') this.records.push({ ...record, forkedFrom: { sessionId: 'x', messageUuid: record['uuid'] } })
    else if (how === 'time') this.records.push({ ...record, timestamp: '2026-11-02T10:00:00.000Z', slug: 'a-copy' })
    else this.records.push(Object.fromEntries(Object.entries(record).toReversed()))
  }
}
