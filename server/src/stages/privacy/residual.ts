import { lookup } from '#contracts/lookup.ts'
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { PrivacyReport } from '#contracts/entities/privacy.ts'
import { countCanaries } from './canaries.ts'
import { isLabel, isMadeUp } from './replace/index.ts'
import { keysIn, plainLines } from './residual-lines.ts'
import { secretsByContext } from './residual-secrets.ts'

/**
 * The second scanner: secretlint's preset for secrets, contexts of secrets (residual-secrets.ts), lines of private keys, and simple patterns for
 * personal data. It shares no rule with the detectors of the gate, so its findings in written rows are values that the
 * gate missed, or false alarms.
 */
export const RESIDUAL_SCANNER = 'secretlint 13.0.7 preset-recommend + 10 places of secrets + 5 plain patterns'

/** What the second scanner does not search for. A data set without survivors may contain any of it. */
export const NOT_COVERED = [
  'names of people',
  'postal addresses, phone numbers and dates of birth',
  'passports, licences, bank accounts and medical data',
  'host names and IP addresses',
  'passwords in sentences that name no user beside them',
  'secrets without a name, header or call beside them, unless a provider gives its keys a form of their own',
  'secrets of plain words or of figures alone',
]

type Survivors = NonNullable<PrivacyReport['survivors']>

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})*\.[a-z]{2,24}\b/iy
const ADDRESS_CHARACTER = /[\w.+-]/

/** All mail addresses. The pattern is tried only around each "@", because trying every letter would double the scan time. */
function* addressesIn(text: string): Generator<string> {
  let from = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    let start = at
    while (start > Math.max(from, at - 64) && ADDRESS_CHARACTER.test(text[start - 1]!)) start -= 1
    EMAIL.lastIndex = start
    const value = EMAIL.exec(text)?.[0]
    if (value === undefined) continue
    from = start + value.length
    yield value
  }
}
const allMatches = (form: RegExp) => (text: string) => text.match(form) ?? []

const PATTERNS: readonly (readonly [type: string, valuesIn: (text: string) => Iterable<string>, isReal: (value: string) => boolean])[] = [
  [
    'email',
    addressesIn,
    (value) => !/@(?:[\w-]+\.)*(?:example\.(?:com|net|org)|[\w-]+\.invalid|users\.noreply\.github\.com)$|^git@|^noreply@/i.test(value),
  ],
  [
    'credit_card',
    allMatches(/\b(?:\d{4}[ -]?){3}\d{4}\b/g),
    (value) => hasCheckDigit(value) && !/^(400000|555555|601111)/.test(value.replaceAll(/\D/g, '')),
  ],
  [
    'iban',
    allMatches(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g),
    (value) => hasIbanCheck(value) && !/^[0X]{4}/.test(value.replaceAll(' ', '').slice(4)),
  ],
  ['ssn', allMatches(/\b(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/g), () => true],
  ['username', allMatches(/(?<=\/home\/|\/Users\/)[a-z][\w.-]{1,31}(?=\/)/g), (value) => !isMadeUpName(value) && !ACCOUNTS.test(value)],
]

const CONFIG = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] }

/** Counts survivors in written texts. Values in the form of made-up ones do not count. */
export async function residualScan(
  texts: Iterable<string> | AsyncIterable<string>,
  { canaries = [] }: { canaries?: readonly string[] } = {},
): Promise<Survivors> {
  const byType: Record<string, number> = lookup()
  let canaryCount = 0
  const add = (type: string) => (byType[type] = (byType[type] ?? 0) + 1)
  for await (const text of texts) {
    canaryCount += countCanaries(text, canaries)
    const lines = plainLines(text)
    const { messages } = await lintSource({
      source: { content: lines, filePath: 'row.json', contentType: 'text', ext: '.json' },
      options: { config: CONFIG, noPhysicFilePath: true },
    })
    const known = messages.map(({ range }) => range).filter((range) => !isReplacement(lines.slice(...range)))
    const byContext = secretsByContext(lines).filter(([start, end]) => !known.some(([from, to]) => from < end && to > start))
    for (
      let count = known.length + byContext.length + (known.some(([start]) => lines.startsWith('-----', start)) ? 0 : keysIn(lines));
      count > 0;
      count -= 1
    )
      add('secret')
    for (const [type, valuesIn, isReal] of PATTERNS) {
      for (const value of valuesIn(text)) if (!isLabel(value) && isReal(value)) add(type)
    }
  }
  return {
    scanner: RESIDUAL_SCANNER,
    findings: Object.values(byType).reduce((sum, count) => sum + count, 0),
    byType,
    canaries: canaryCount,
    notCovered: NOT_COVERED,
  }
}

/** Accounts of machines and examples. */
const ACCOUNTS =
  /^(?:user|users|node|runner|ubuntu|debian|shared|public|root|admin|app|dev|developer|test|git|build|builder|ci|deploy|vagrant|pi|ec2-user|postgres|jenkins|vscode|codespace|gitpod|linuxbrew|username|me|you|claude|agent|sandbox)$/i

const isMadeUpName = (value: string) => {
  const words = value.split(/[^\p{L}]+/u).filter((word) => word.length > 1)
  return words.length > 0 && words.every(isMadeUp)
}

/** Whether a text is what the gate puts in place of a secret. */
const isReplacement = (value: string) => isLabel(value) || /\[[A-Z][A-Z_\d]{2,}\]|EXAMPLE$|\*{4,}/.test(value)

function hasCheckDigit(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '')
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 1 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

function hasIbanCheck(value: string): boolean {
  const text = value.replaceAll(' ', '')
  const numbers = Array.from(text.slice(4) + text.slice(0, 4), (sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(numbers) % 97n === 1n
}

/**
 * The report with the results of the second scan. `survivingShare` is the share of values that survived among all values
 * that either scanner found. `epsilon` is the ε spent on training with noise, which bounds membership inference.
 */
export function withSurvivors(report: PrivacyReport, survivors: Survivors, epsilon: number | null = null): PrivacyReport {
  const replacedCount = Object.entries(report.actions).reduce((sum, [action, count]) => sum + (action === 'kept' ? 0 : count), 0)
  const total = replacedCount + survivors.findings
  return {
    ...report,
    survivors,
    epsilonSpent: epsilon,
    disclosureRisk: {
      survivingValues: survivors.findings,
      survivingShare: total === 0 ? 0 : survivors.findings / total,
      membershipAdvantageBound: epsilon === null ? null : Math.tanh(epsilon / 2),
    },
  }
}
