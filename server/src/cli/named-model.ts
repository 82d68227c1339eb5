import type { z } from 'zod'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { ProviderId } from '#contracts/entities/provider.ts'
import { given } from '#server/given.ts'
import { UsageError } from './command.ts'

/** The model of `--model`: ID of the registry, base:ID, PROVIDER/NAME or URL#NAME. */
export function modelOf(text: string): z.input<typeof ExamModel> {
  if (/^https?:\/\//.test(text)) {
    const [baseUrl, model] = text.split('#', 2)
    return { kind: 'url', baseUrl: baseUrl!, ...given({ model: model || undefined }) }
  }
  if (text.startsWith('base:')) return { kind: 'base', model: text.slice('base:'.length) }
  const slash = text.indexOf('/')
  if (slash < 0) return { kind: 'model', model: text }
  const provider = ProviderId.safeParse(text.slice(0, slash))
  if (!provider.success)
    throw new UsageError(`"${text}" is no model: ID, base:ID, PROVIDER/NAME (${ProviderId.options.join(', ')}) or URL#NAME.`)
  return { kind: 'provider', provider: provider.data, model: text.slice(slash + 1) }
}
