import { hash } from 'node:crypto'
import { countingVerdict, VERDICT_WORDS } from '#contracts/exam-words.ts'
import type { Evaluation } from '#contracts/entities/evaluation.ts'
import type { AnsweredBy, Student, StudentCertificate } from '#contracts/entities/router.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { TaskEndpoint } from '#contracts/entities/task.ts'
import { overrideWords, STUDENT_NAME } from '#contracts/router-words.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import type { TaskModels } from '../agents/index.ts'
import type { createProofs, Proof } from './proof.ts'

export interface StudentDeps {
  settings: () => Pick<Settings['router'], 'studentModel' | 'studentAddress' | 'override' | 'proxyPort'>
  endpoints: Pick<TaskModels, 'find' | 'open'>
  /** Null if there is no such model. */
  nameOf: (modelId: string) => string | null
  verdictsOf: (modelId: string) => Evaluation[]
  /** Whether its newest probe found that it writes its training data. */
  leaks: (modelId: string) => boolean
  proofs: Pick<ReturnType<typeof createProofs>, 'remember' | 'of'>
  /** The version of Claude Code on this machine; null if it is not known. */
  client: () => string | null
}

export interface ChosenStudent extends Student {
  endpoint: TaskEndpoint
  /** The name that a request sends; undefined for the endpoint's own. */
  model: string | undefined
}

/** Names of families that a client could take for its provider's. */
const THEIRS = /claude|anthropic|opus|sonnet|haiku|fable/g

/** The model that answers, and which models answered under which name. */
export function createStudents(
  { db, now }: Pick<Core, 'db' | 'now'>,
  { settings, endpoints, nameOf, verdictsOf, leaks, proofs, client }: StudentDeps,
) {
  const add = db.prepare<[string, string, string, number]>(
    'INSERT INTO students (name, model_id, label, at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
  )
  const byName = db.prepare<[string], { model_id: string }>('SELECT model_id FROM students WHERE name = ?')

  const certificateOf = (modelId: string): StudentCertificate | null => {
    const verdict = countingVerdict(verdictsOf(modelId))
    return verdict?.standing === 'proof' && !leaks(modelId) ? { examId: verdict.examId, run: verdict.run } : null
  }
  const chosen = (): ChosenStudent | null => {
    const { studentModel, studentAddress, override, proxyPort } = settings()
    if (studentModel === '' && studentAddress === '') return null
    const isHere = studentAddress === ''
    const endpoint: TaskEndpoint = isHere
      ? { kind: 'model', modelId: studentModel }
      : { kind: 'url', dialect: 'openai', baseUrl: studentAddress }
    const model = isHere || studentModel === '' ? undefined : studentModel
    const found = endpoints.find(endpoint, model)
    const { receiver } = found
    const missing = isProxy(studentAddress, proxyPort)
      ? { message: 'This is the address of the proxy of Bash Gym, not of a model.' }
      : found.missing
    const modelId = isHere ? studentModel : `${studentModel} ${studentAddress}`.trim()
    const label = isHere ? (nameOf(studentModel) ?? studentModel) : studentModel || studentAddress
    const verdict = isHere ? certificateOf(modelId) : null
    const proof = verdict && proofs.of(modelId, verdict.run)
    const isOther = proof?.changed.some((part) => part !== 'client') === true
    const certificate = isOther ? null : verdict
    const words = overrideWords(label)
    const isAllowed = certificate !== null || override === words
    return {
      name: studentName(label, modelId),
      modelId,
      label,
      receiver,
      certificate,
      evidenceSince: proof ? isoOf(proof.since) : null,
      unprovenClient: proof?.changed.includes('client') ? client() : null,
      isUsable: missing === null && isAllowed,
      reason: missing ? missing.message : reasonOf(modelId, isHere, { certificate, isAllowed, proof: isOther ? proof : null }),
      override: words,
      endpoint,
      model,
    }
  }
  const reasonOf = (
    modelId: string,
    isHere: boolean,
    { certificate, isAllowed, proof: other }: { certificate: StudentCertificate | null; isAllowed: boolean; proof: Proof | null },
  ): string => {
    if (certificate) return 'An exam showed that it is better than the model it was trained from.'
    const verdict = isHere ? countingVerdict(verdictsOf(modelId)) : null
    const proof = other
      ? other.changed.includes('files')
        ? 'Its files are not those that its exam was taken with.'
        : `Its exam was taken with another prompt or other tools (Claude Code ${other.client}), so it is not proven for this client version.`
      : verdict
        ? verdict.standing === 'proof'
          ? 'It is better, but its newest probe found that it writes phrases of its training data.'
          : `Its exam says: ${VERDICT_WORDS[verdict.verdict]}, compared with ${verdict.against}.`
        : isHere
          ? 'No exam has compared it with the model it was trained from.'
          : 'Nothing is proven about a model at an address.'
    return isAllowed ? `${proof} You chose to use it without proof.` : `${proof} It is not used before an exam shows that it is better.`
  }
  return {
    chosen,
    /** The name of the model of an endpoint, remembered; null for one of a provider. */
    nameFor(endpoint: TaskEndpoint, model: string | undefined): string | null {
      if (endpoint.kind === 'provider') return null
      const isHere = endpoint.kind === 'model'
      const modelId = isHere ? endpoint.modelId : `${model ?? ''} ${endpoint.baseUrl}`.trim()
      const label = isHere ? (nameOf(endpoint.modelId) ?? endpoint.modelId) : model || endpoint.baseUrl
      const name = studentName(label, modelId)
      add.run(name, modelId, label, now())
      return name
    },
    /** Remembers the name, so that transcripts with it can be told. */
    remember({ name, modelId, label, certificate }: Student): void {
      add.run(name, modelId, label, now())
      const at = countingVerdict(verdictsOf(modelId))?.at
      if (certificate && at !== undefined) proofs.remember(modelId, certificate.run, Date.parse(at))
    },
    modelOf: (name: string): string | null => byName.get(name)?.model_id ?? null,
    /** The model of the user's own with this name in Claude Code; null for a name of somebody else. */
    answeredBy(name: string): AnsweredBy | null {
      const found = byName.get(name)
      return found ? { modelId: found.model_id, certificate: certificateOf(found.model_id) } : null
    },
  }
}

/** A model there would be asked through itself, or be Claude. */
function isProxy(address: string, proxyPort: number): boolean {
  const url = URL.parse(address)
  return url !== null && isLoopback(url.hostname) && url.port === String(proxyPort)
}

/** Readable, and different for models of the same name. */
export function studentName(label: string, modelId: string): string {
  const words = label
    .toLowerCase()
    .replaceAll(THEIRS, 'model')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${STUDENT_NAME}${[words, hash('sha256', modelId).slice(0, 6)].filter(Boolean).join('-')}`
}
