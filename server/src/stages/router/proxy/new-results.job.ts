import { z } from 'zod'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { findInResult, type ResultFinding, type ResultOptions } from '../../guardrails/index.ts'
import { resultText } from '../../traces/index.ts'

export interface NewResultsInput {
  /** A request of the Messages API. */
  body: Uint8Array
  options: ResultOptions
}

export interface NewResult {
  /** The client's id of the call. */
  call: string
  finding: ResultFinding
}

const Message = z.object({ role: z.string(), content: z.array(z.unknown()).catch([]) })
const Body = z.object({ messages: z.array(Message) })
const Result = z.object({ type: z.literal('tool_result'), tool_use_id: z.string().regex(/^[\w-]{1,100}$/), content: z.unknown() })

/** What is found in the results of tools that the model has not answered to yet; earlier ones were new in an earlier request. */
export default function newResultsJob({ body, options }: NewResultsInput): NewResult[] {
  const { messages = [] } = Body.safeParse(jsonOf(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'))).data ?? {}
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(answered + 1).flatMap(({ content }) =>
    content.flatMap((part) => {
      const result = Result.safeParse(part).data
      const finding = result ? findInResult(resultText(result.content), options) : null
      return result && finding ? [{ call: result.tool_use_id, finding }] : []
    }),
  )
}
