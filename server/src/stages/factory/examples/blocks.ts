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

/** The prompts before a response of the model, and the response with the results of its calls. */
export interface Block {
  prompts: { id: string; text: string }[]
  /** Id of the response's first item. */
  id: string | null
  thinking: string[]
  texts: string[]
  calls: Call[]
  /** Events that are not messages: api_error, compacted, interrupted. */
  marks: Set<string>
}

/** Groups the items of a main conversation into blocks. Trims outputs at once, so that long ones do not stay in memory. */
export class BlockReader {
  private readonly outputChars: number
  private blocks: Block[] = []

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
    const last = this.blocks.at(-1)
    switch (item.kind) {
      case 'prompt': {
        const block = last && hasNoResponse(last) ? last : this.startBlock()
        block.prompts.push({ id: item.id, text: withoutBoilerplate(item.text) })
        return
      }
      case 'thinking':
      case 'text': {
        if (item.text.trim() === '') return
        const block = last && last.calls.length === 0 ? last : this.startBlock()
        block.id ??= item.id
        block[item.kind === 'text' ? 'texts' : 'thinking'].push(item.text)
        return
      }
      case 'step':
        return this.addStep(item.step, last)
      case 'error':
        return this.addMark('api_error')
      case 'compaction':
        return this.addMark('compacted')
      default:
        if (item.label === 'interrupt') this.addMark('interrupted')
    }
  }

  private addStep(step: Extract<TranscriptItem, { kind: 'step' }>['step'], last: Block | undefined): void {
    const previousCall = last?.calls.at(-1)
    const isSame = last && (previousCall === undefined || (previousCall.messageId !== null && previousCall.messageId === step.messageId))
    const block = isSame ? last : this.startBlock()
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
    const block: Block = { prompts: [], id: null, thinking: [], texts: [], calls: [], marks: new Set() }
    this.blocks.push(block)
    return block
  }

  private addMark(name: string): void {
    ;(this.blocks.at(-1) ?? this.startBlock()).marks.add(name)
  }
}

const hasNoResponse = (block: Block) => block.id === null

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
