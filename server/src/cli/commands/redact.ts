import { isUtf8 } from 'node:buffer'
import { type Finding, ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { type Command, enumOf } from '../command.ts'

/** Passed in by the composition root; needs no data directory or lock. */
export type RedactText = (text: string, strategy: ReplaceStrategy) => Promise<{ text: string; findings: Finding[] }>

/** Standard input and output as bytes, so that input without findings is copied unchanged. */
export interface ByteStreams {
  read(): Promise<Buffer>
  write(bytes: Buffer): void
}

export const redactCommand = (redact: RedactText, bytes: ByteStreams): Command => ({
  name: 'redact',
  usage: `redact [--strategy ${ReplaceStrategy.options.join('|')}]`,
  takesNoArguments: true,
  summary: 'copy stdin to stdout without secrets and personal data; findings go to stderr',
  options: { strategy: { type: 'string' } },
  async run(context) {
    const strategy = enumOf(context.values, 'strategy', ReplaceStrategy.options) ?? 'redact'
    const input = await bytes.read()
    const source = toText(input)
    const { text, findings } = await redact(source, strategy)
    for (const { type, detector, start, end, confidence } of findings) context.note(`${start}–${end} ${type} (${detector}, ${confidence})`)
    if (context.json)
      context.out(
        { text, findings: findings.map(({ type, detector, start, end, confidence }) => ({ type, detector, start, end, confidence })) },
        () => text,
      )
    else bytes.write(findings.length === 0 ? input : toBytes(text))
  },
})

/** A byte that is not UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, which valid text never contains. */
const STRAY = 0xdc00
const STRAYS = /(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/

/** Decodes UTF-8. In lines that are not UTF-8, each non-ASCII byte becomes a lone surrogate. */
export function toText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const lines: string[] = []
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(10, from)
    const to = found < 0 ? bytes.length : found + 1
    const line = bytes.subarray(from, to)
    lines.push(
      isUtf8(line)
        ? line.toString('utf8')
        : line.toString('latin1').replaceAll(/[\u0080-\u00FF]/g, (byte) => String.fromCharCode(STRAY + byte.charCodeAt(0))),
    )
    from = to
  }
  return lines.join('')
}

/** Reverses `toText`. */
export function toBytes(text: string): Buffer {
  if (!STRAYS.test(text)) return Buffer.from(text, 'utf8')
  return Buffer.concat(
    text
      .split(/(?<=\n)/)
      .map((line) =>
        STRAYS.test(line)
          ? Buffer.concat(
              Array.from(line, (char) => (STRAYS.test(char) ? Buffer.from([char.charCodeAt(0) - STRAY]) : Buffer.from(char, 'utf8'))),
            )
          : Buffer.from(line, 'utf8'),
      ),
  )
}
