import { hash } from 'node:crypto'
import type { Finding, PiiType } from '#contracts/entities/privacy.ts'
import { detect, inTime, type ScanOptions } from './detector.ts'
import { type LabelledScan, rememberingScan } from './labelled.ts'
import { fromBase64, mask, readWritten } from './replace/index.ts'
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
  /** Time limit for a text, in tests. */
  limitMs?: number
}

/** A finding as stored: position, type, digest and mask. Never the value. */
export interface FoundInArchive extends Finding {
  id: string
  stepId: string
  part: 'body' | 'result'
  path: string
  value: string
  preview: string
  file: string | null
  at: string | null
}

let last: { from: ScannerOptions; scan: (text: string) => Finding[]; findingsIn: LabelledScan; key: Buffer } | null = null

/** Read by the passages job of the traces stage, in a worker. */
export const reader = {
  read(passage: ScannedText, options: ScannerOptions): FoundInArchive[] {
    if (last?.from !== options) {
      const settings = { ...options.scan, allowed: new Set(options.scan.allowed) }
      const scan = (text: string) => detect(text, settings, options.limitMs)
      last = { from: options, scan, findingsIn: rememberingScan(scan), key: Buffer.from(options.key) }
    }
    const { scan, findingsIn, key } = last
    const findings = inTime(() => findingsIn(keyOf(passage), passage.text, passage.part === 'body')) ?? [unscanned(passage.text)]
    return findings.map((finding) => {
      const raw = passage.text.slice(finding.start, finding.end)
      const value = finding.detector === UNSCANNED_BY ? raw : valueOf(raw, finding.type, scan)
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
export const UNSCANNED_BY = 'time limit'
const unscanned = (text: string): Finding => ({
  type: 'secret',
  detector: UNSCANNED_BY,
  start: 0,
  end: text.length,
  confidence: 1,
  validated: false,
})

/** The value as the gate sees it: without escapes, or the first of its type inside base64. */
export function valueOf(raw: string, type: PiiType, scan: (text: string) => Finding[]): string {
  const { plain } = readWritten(raw)
  const packed = fromBase64(plain)?.plain
  const inner = packed === undefined ? undefined : scan(packed).find((finding) => finding.type === type)
  return packed === undefined || !inner ? plain : readWritten(packed.slice(inner.start, inner.end)).plain
}

const findingId = (place: readonly (string | number)[]): string => hash('sha256', place.join('\0')).slice(0, 24)

/** The key of a string in a call's input: the last name in its pointer, not a list index. */
const keyOf = ({ path }: ScannedText): string | null => {
  const name = path.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part))
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~')
}

const PREVIEW_CHARS = 60
const previewOf = (type: PiiType, value: string): string => {
  const line = mask(type, value.slice(0, 4 * PREVIEW_CHARS)).replaceAll(/\s+/g, ' ')
  return line.length > PREVIEW_CHARS ? `${line.slice(0, PREVIEW_CHARS)}…` : line
}
