import { hash } from 'node:crypto'
import fs from 'node:fs'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { PII_TYPES, type RedactionCounts } from '#contracts/entities/privacy.ts'
import type { ClearedRequest } from '#server/adapters/llm/cleared.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'
import type { Workers } from '#server/workers/pool.ts'
import type { ClearRequestInput, ClearRequestOutput } from './clear-request.job.ts'
import type clearTexts from './clear-texts.job.ts'
import type { ClearTextsInput } from './clear-texts.job.ts'
import type { GateInput, KeyedText } from './gate.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { countsOf, type LabelNumbers } from './replace/index.ts'

/**
 * The gate for the requests of one run. A secret has the same label in all of them, and labels that the model repeats stay
 * as they are. Every function rejects if a request could not be searched; it must not be sent then.
 */
export interface RunRedaction {
  /** Replaces secrets in the texts of a request. */
  clearTexts: (texts: readonly KeyedText[], signal: AbortSignal) => Promise<string[]>
  /** Replaces secrets in a request that stays on this machine. */
  clearSecrets: (request: ChatRequest, signal: AbortSignal) => Promise<ChatRequest>
  /** Applies the whole policy, as for every request of the model client. */
  clearRequest: (request: ChatRequest, signal: AbortSignal) => Promise<ClearedRequest>
}

export interface RunRedactionOptions {
  /** Keeps the numbers of the labels, so that a continued run has the same; null: they are lost with the run. */
  file: string | null
  /** Called when another secret was replaced, with the number of different secrets by type. */
  onReplaced: (counts: RedactionCounts) => void
}

interface Deps {
  workers: Workers
  gateInput: (off?: string) => GateInput
}

const TEXTS_JOB = new URL('./clear-texts.job.ts', import.meta.url)
const REQUEST_JOB = new URL('./clear-request.job.ts', import.meta.url)
/** Requests repeat their conversation, so that most texts are known. */
const MAX_KNOWN_TEXTS = 100_000
const SECRETS_ONLY = 'only secrets are replaced'

export function createRunRedaction({ workers, gateInput }: Deps, { file, onReplaced }: RunRedactionOptions): RunRedaction {
  let labels = (file === null ? null : readLabels(file)) ?? { byValue: {}, byKeyLine: {}, last: {} }
  let secrets: KnownSecrets = []
  let unscanned = 0
  /** Results by the hash of a text and its place; null: unchanged. */
  const known = new Map<string, string | null>()
  let tail: Promise<unknown> = Promise.resolve()
  /** One at a time, so that no two secrets get the same number. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => {})
    return result
  }
  const keep = ({ labels: after, known: knownNow, unscanned: newlyUnscanned }: Omit<ClearRequestOutput, 'request'>): void => {
    const isMore = Object.keys(after.byValue).length > Object.keys(labels.byValue).length
    labels = after
    secrets = knownNow
    unscanned += newlyUnscanned
    if (isMore && file !== null) writeLabels(file, labels)
    if (isMore || newlyUnscanned > 0) onReplaced({ ...countsOf(labels), ...(unscanned > 0 && { unscanned }) })
  }
  const clear = (request: ChatRequest, off: string | undefined, signal: AbortSignal) =>
    inTurn(async () => {
      const input: ClearRequestInput = { request, gate: { ...gateInput(off), labels, known: secrets } }
      const output = await workers.run<ClearRequestOutput>(REQUEST_JOB, input, { lane: 'query', signal })
      keep(output)
      return output.request
    })

  return {
    clearTexts: (texts, signal) =>
      inTurn(async () => {
        const keys = texts.map(keyOf)
        const results = new Map<string, string | null>()
        const news = new Map<string, KeyedText>()
        for (const [index, key] of keys.entries()) {
          const before = known.get(key)
          if (before === undefined) news.set(key, texts[index]!)
          else results.set(key, before)
        }
        if (news.size > 0) {
          const asked = [...news.values()]
          const input: ClearTextsInput = { texts: asked, gate: { ...gateInput(SECRETS_ONLY), labels, known: secrets } }
          const output = await workers.run<ReturnType<typeof clearTexts>>(TEXTS_JOB, input, { lane: 'query', signal })
          keep(output)
          if (known.size + news.size > MAX_KNOWN_TEXTS) known.clear()
          for (const [index, key] of [...news.keys()].entries()) {
            const after = output.texts[index]!
            const result = after === asked[index]!.text ? null : after
            known.set(key, result)
            results.set(key, result)
          }
        }
        return keys.map((key, index) => results.get(key) ?? texts[index]!.text)
      }),
    clearSecrets: async (request, signal) => {
      const { seal: _, ...cleared } = await clear(request, SECRETS_ONLY, signal)
      return cleared
    },
    clearRequest: (request, signal) => clear(request, undefined, signal),
  }
}

const keyOf = ({ key, text, isData }: KeyedText): string => hash('sha256', `${isData ? 'data' : 'text'} ${JSON.stringify(key)} ${text}`)

/** Null if there is none that can be read. */
function readLabels(file: string): LabelNumbers | null {
  try {
    const { byValue, byKeyLine = {}, last } = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<LabelNumbers>
    const isNumber = (number: unknown) => Number.isSafeInteger(number)
    const isWhole = [byValue!, byKeyLine].flatMap((numbers) => Object.values(numbers)).every(({ type, number }) => PII_TYPES.includes(type) && isNumber(number)) && Object.values(last!).every(isNumber) // prettier-ignore
    return isWhole ? { byValue: byValue!, byKeyLine, last: last! } : null
  } catch {
    return null
  }
}

/** Digests with a key of the data directory, and no values. */
const writeLabels = (file: string, labels: LabelNumbers): void => writeFileAtomicSync(file, JSON.stringify(labels), { mode: 0o600 })
