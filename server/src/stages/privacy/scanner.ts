import { hash } from 'node:crypto'
import type { Finding, PiiType } from '#contracts/entities/privacy.ts'
import { detect, inTime, type ScanOptions } from './detector.ts'
import { type LabelledScan, cachedScan } from './labelled.ts'
import { fromBase64, mask, decodeValue } from './replace/index.ts'
import { valueDigest } from './decisions.ts'

/** A text of a session from the traces stage. */
export interface ScannedText {
  entryId: string
  kind: string
  file: string | null
  at: string | null
  part: 'body' | 'result'
  path: string
  text: string
}

export interface ScannerOptions {
  scan: Omit<ScanOptions, 'allowed'> & { allowed: readonly string[] }
  /** Key of the digests. */
  key: Uint8Array
  /** Time limit for a text; only set in tests. */
  limitMs?: number
}

/** A finding as it is stored: position, type, digest and masked preview, never the value. */
export interface StoredFinding extends Finding {
  id: string
  stepId: string
  part: 'body' | 'result'
  path: string
  value: string
  preview: string
  file: string | null
  at: string | null
}

let cached: { from: ScannerOptions; scan: (text: string) => Finding[]; findingsIn: LabelledScan; key: Buffer } | null = null

/** Read by the passages job of the traces stage, in a worker. */
export const reader = {
  read(passage: ScannedText, options: ScannerOptions): StoredFinding[] {
    if (cached?.from !== options) {
      const settings = { ...options.scan, allowed: new Set(options.scan.allowed) }
      const scan = (text: string) => detect(text, settings, options.limitMs)
      cached = { from: options, scan, findingsIn: cachedScan(scan), key: Buffer.from(options.key) }
    }
    const { scan, findingsIn, key } = cached
    const findings = inTime(() => findingsIn(keyOf(passage), passage.text, passage.part === 'body')) ?? [unscannedFinding(passage.text)]
    return findings.map((finding) => {
      const raw = passage.text.slice(finding.start, finding.end)
      const value = finding.detector === TIME_LIMIT_DETECTOR ? raw : valueOf(raw, finding.type, scan)
      const { entryId: stepId, part, path, file, at } = passage
      return {
        ...finding,
        id: findingId([stepId, part, path, finding.type, finding.start, finding.end]),
        stepId,
        part,
        path,
        value: valueDigest(key, finding.type, value),
        preview: previewOf(finding.type, value),
        file,
        at,
      }
    })
  },
}

/** Detector of a finding for a whole text whose scan took too long. */
export const TIME_LIMIT_DETECTOR = 'time limit'
const unscannedFinding = (text: string): Finding => ({
  type: 'secret',
  detector: TIME_LIMIT_DETECTOR,
  start: 0,
  end: text.length,
  confidence: 1,
  validated: false,
})

/** The value as the gate reads it: without escapes, or the first value of its type inside base64. */
export function valueOf(raw: string, type: PiiType, scan: (text: string) => Finding[]): string {
  const { plain } = decodeValue(raw)
  const decoded = fromBase64(plain)?.plain
  const inner = decoded === undefined ? undefined : scan(decoded).find((finding) => finding.type === type)
  return decoded === undefined || !inner ? plain : decodeValue(decoded.slice(inner.start, inner.end)).plain
}

const findingId = (place: readonly (string | number)[]): string => hash('sha256', place.join('\0')).slice(0, 24)

/** The key of a string in a call's input: the last part of its JSON pointer that is no list index. */
const keyOf = ({ path }: ScannedText): string | null => {
  const name = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part))
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~')
}

const PREVIEW_CHARS = 60
const previewOf = (type: PiiType, value: string): string => {
  const line = mask(type, value.slice(0, 4 * PREVIEW_CHARS)).replaceAll(/\s+/g, ' ')
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS)}…` : line
}
