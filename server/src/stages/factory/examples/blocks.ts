import type { TranscriptItem } from '#contracts/entities/step.ts'
import { withoutBoilerplate } from './boilerplate.ts'
import { trimMiddle } from './trim.ts'

export interface Call {
  stepId: string
  messageId: string | null
  tool: string
  input: Record<string, unknown>
  /** Trimmed; null: no result was recorded. */
  output: string | null
  keptChars: number
  cutChars: number
  success: boolean | null
  rejectedBy: 'user' | 'rule' | 'interrupt' | null
  file: string | null
  edits: boolean
  /** Files that a shell command changed. */
  changed: string[]
  command: string | null
  at: number | null
  endedAt: number | null
}

/** A text of the user's side: a prompt, or something else the model was given. */
export interface Prompt {
  id: string
  text: string
  /** `prompt`: typed. `begins`: began a turn, or came along with a prompt. `within`: came during a turn. */
  role: 'prompt' | 'begins' | 'within'
}

/** The texts before a response of the model, and the response with the results of its calls. */
export interface Block {
  prompts: Prompt[]
  /** Id of the response's first item. */
  id: string | null
  /** Of the response, if known. */
  messageId: string | null
  thinking: string[]
  texts: string[]
  calls: Call[]
  /** Events that are not messages: api_error, compacted, interrupted. */
  marks: Set<string>
  /** Answered by a mod of the client. */
  byMod: boolean
  /** Begins with the summary of a compaction: the model had nothing from before. */
  startsAnew: boolean
  /** A response after the end of another one, without anything recorded that asked for it. */
  unasked: boolean
}

/** Groups the items of a main conversation into blocks. Trims outputs at once, so that long ones do not stay in memory. */
export class BlockReader {
  private readonly outputChars: number
  private blocks: Block[] = []
  /** The last block, also if it was taken. */
  private previous: Block | null = null

  constructor(outputChars: number) {
    this.outputChars = outputChars
  }

  /** Removes and returns the blocks so far. */
  takeBlocks(): Block[] {
    const blocks = this.blocks
    this.blocks = []
    return blocks
  }

  add(item: TranscriptItem): void {
    if (item.kind === 'step') return this.addStep(item.step)
    if (item.kind === 'prompt') return this.addPrompt(item, 'prompt')
    if (item.kind === 'thinking' || item.kind === 'text') {
      if (item.text.trim() === '') return
      const block = this.blockFor(item, false)
      block.id ??= item.id
      block[item.kind === 'text' ? 'texts' : 'thinking'].push(item.text)
      return
    }
    if (item.kind === 'compaction') this.addMark('compacted')
    else if (item.kind === 'error') this.addMark('api_error')
    else if (item.label === 'interrupt') this.addMark('interrupted')
    if (item.asks !== null) this.addPrompt(item, item.asks)
  }

  private addPrompt({ id, text, kind }: Exclude<TranscriptItem, { kind: 'step' }>, role: Prompt['role']): void {
    const given = withoutBoilerplate(text)
    if (given.trim() === '' && role !== 'prompt') return
    const last = this.blocks.at(-1)
    const startsAnew = kind === 'compaction'
    const block = last && hasNoResponse(last) && !startsAnew ? last : this.startBlock()
    block.startsAnew ||= startsAnew
    block.unasked = false
    block.prompts.push({ id, text: given, role })
  }

  /** The block of a response: the last one, unless that has a response of its own. */
  private blockFor({ messageId, byMod }: { messageId: string | null; byMod: boolean }, isCall: boolean): Block {
    const last = this.blocks.at(-1)
    if (last && isCall) {
      if (continues(last, messageId)) return last
      const before = this.blocks.at(-2)
      // Calls of one response, with a text of the client between them, which the model read after all of them.
      if (before && continues(before, messageId) && hasNoResponse(last) && !last.prompts.some(isAsk)) return before
    }
    const isSame = last && last.calls.length === 0 && (last.messageId === null || messageId === null || last.messageId === messageId)
    const block = isSame ? last : last && isTorn(last, byMod) ? withoutResponse(last) : this.startBlock()
    block.messageId ??= messageId
    block.byMod ||= byMod
    return block
  }

  private addStep(step: Extract<TranscriptItem, { kind: 'step' }>['step']): void {
    const block = this.blockFor(step, true)
    block.id ??= step.id
    const output = step.output === null ? null : withoutBoilerplate(step.output)
    const trimmed = step.answered && output !== null ? trimMiddle(output, this.outputChars) : null
    block.calls.push({
      stepId: step.id,
      messageId: step.messageId,
      tool: step.tool,
      input: isObject(step.input) ? step.input : { input: step.input },
      output: step.answered ? (trimmed?.text ?? '') : null,
      keptChars: (output?.length ?? 0) - (trimmed?.cutChars ?? 0),
      cutChars: trimmed?.cutChars ?? 0,
      success: step.success,
      rejectedBy: step.rejectedBy,
      file: step.file,
      edits: (step.patch !== null || step.changes !== undefined) && step.success !== false,
      changed: step.changes?.map(({ path }) => path) ?? [],
      command: step.command,
      at: step.at === null ? null : Date.parse(step.at),
      endedAt: step.endedAt === null ? null : Date.parse(step.endedAt),
    })
  }

  private startBlock(): Block {
    const { previous } = this
    const block: Block = {
      prompts: [],
      id: null,
      messageId: null,
      thinking: [],
      texts: [],
      calls: [],
      marks: new Set(),
      byMod: false,
      startsAnew: false,
      unasked: previous !== null && !hasNoResponse(previous) && previous.calls.length === 0,
    }
    this.previous = block
    this.blocks.push(block)
    return block
  }

  private addMark(name: string): void {
    ;(this.blocks.at(-1) ?? this.startBlock()).marks.add(name)
  }
}

/** Whether a text asked for something, so that a row can begin with it. */
export const isAsk = ({ role }: Prompt): boolean => role !== 'within'

const hasNoResponse = (block: Block) => block.id === null

/** Whether a call of a response belongs to a block with calls. */
const continues = ({ calls }: Block, messageId: string | null): boolean =>
  calls.length > 0 && messageId !== null && calls.at(-1)!.messageId === messageId

/** A mod's answer that broke off: Claude then answered in its place. */
const isTorn = ({ byMod, calls }: Block, isNextByMod: boolean): boolean => byMod && !isNextByMod && calls.length === 0

const withoutResponse = (block: Block): Block => Object.assign(block, { id: null, messageId: null, thinking: [], texts: [], byMod: false })

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
