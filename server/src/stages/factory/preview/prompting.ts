/** For later stages, which compare what a chat template writes. */
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { RenderError, rendererOf } from './render.ts'

/** The prompt that a chat template writes for a conversation; null if it refuses. */
export function renderPrompt(
  { source, eos, thinking }: { source: string; eos: string; thinking: boolean },
  { messages, tools }: { messages: readonly ChatMessage[]; tools: readonly ToolSchema[] },
): string | null {
  try {
    return rendererOf({ source, specialTokens: { bos_token: '', eos_token: eos } }, tools, thinking).text(messages, true)
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}
