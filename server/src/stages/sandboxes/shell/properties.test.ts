import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import { newFolder } from '#server/testing/folders.ts'
import { withoutExitLine } from './bash-notices.ts'
import { createOutputBuffer } from './output-buffer.ts'
import { withoutEscapes } from './plain-text.ts'
import { markerScanner } from './scanner.ts'
import { openShell } from './shell.ts'
import { hostMachine } from './testing-host.ts'

let folder: string
beforeEach(() => void (folder = newFolder()))

const number = fc.integer({ min: 0, max: 255 })
const word = fc.stringMatching(/^[a-z]{1,5}$/)
const anyText = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '').toWellFormed())

/** Commands that change or print the state of a shell. Their errors are hidden, because those name the line of a script. */
const command = fc.oneof(
  fc.tuple(word, word).map(([name, value]) => `${name}=${value}; export ${name}`),
  word.map((value) => `v=${value}`),
  fc.constantFrom(
    'echo "$? $v $#"',
    'echo "$?"\necho "$v"',
    'f 2>/dev/null',
    'cd ..',
    'pwd | sed "s,.*/,,"',
    'false',
    'true | false; echo ${PIPESTATUS[@]}',
    'unset v',
    'shopt -s nullglob; echo none*',
    'shopt -u nullglob; echo none*',
    'set -- a "b c" "$@"; echo $#',
    'bash -c "echo $v"',
    'x=$(echo "$v"; exit 3)',
    '[ "$v" = "$x" ]',
    'a+=(1 "2 3"); echo ${#a[@]}',
    'cat',
    'read -r v',
    'exec 4>>log; echo $v >&4; exec 4>&-; cat log',
    "trap 'echo failed' ERR",
    'trap - ERR',
    ': # nothing',
    '[ -f none ] && echo no',
  ),
  number.map((code) => `f() { echo "f $v"; return ${code}; }`),
  number.map((code) => `(exit ${code})`),
  word.map((name) => `mkdir -p ${name} && cd ${name}`),
  word.map((value) => `for i in 1 2 3; do\n  if [ $i = 2 ]; then continue; fi\n  echo "$i ${value}"\ndone`),
  anyText.map((text) => `printf %s ${quoted(text)}`),
  anyText.map((text) => `cat <<'END-OF-IT'\n${text}\nEND-OF-IT`),
  anyText.map((text) => `v=${quoted(text)}; printf '%s' "$v" | wc -c`),
)

/** The output and exit codes of the same commands in one script. */
function asScript(commands: readonly string[], cwd: string) {
  fs.mkdirSync(cwd, { recursive: true })
  const lines = commands.map((one) => `${one}\n{ s=$?; printf '\\0%s\\0' "$s"; (exit $s) && :; } 2>/dev/null`)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8', TERM: 'xterm-256color' }
  const { stdout } = spawnSync('bash', ['--norc', '-c', lines.join('\n')], { cwd, env, input: '' })
  const parts = stdout.toString('utf8').split('\0')
  return commands.map((_, index) => ({ output: parts[2 * index], exitCode: Number(parts[2 * index + 1]) }))
}

describe('a sequence of commands', () => {
  let runs = 0
  it('has the same output, codes and state as one script', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 15 }), async (commands) => {
        const [scriptCwd, cwd] = [path.join(folder, `${(runs += 1)}`, 'a/b/c/d'), path.join(folder, `${(runs += 1)}`, 'a/b/c/d')]
        const expected = asScript(commands, scriptCwd)
        fs.mkdirSync(cwd, { recursive: true })
        const shell = await openShell(hostMachine(folder), { terminal: null, cwd })
        try {
          const answers = []
          for (const one of commands) answers.push(await shell.exec({ command: one, timeoutSec: 60, maxOutputBytes: 100_000 }))
          expect(answers.map(({ output, exitCode }) => ({ output, exitCode }))).toEqual(expected)
        } finally {
          await shell.end()
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('the shell protocol', () => {
  it('finds markers however a stream is split, and loses no byte', () => {
    const expectedDigits = '01234567890123456789'
    const piece = fc.constantFrom(
      `\x1e${expectedDigits}7\x1e`,
      `\x1e${expectedDigits}\x1e`,
      '\x1e',
      `\x1e${expectedDigits}`,
      `\x1e${'1'.repeat(20)}0\x1e`,
      'text',
      '123',
      `\x1e${expectedDigits}1234\x1e`,
    )
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(60)), (pieces, cuts) => {
        const all = Buffer.from(pieces.join(''), 'latin1')
        const scan = (chunks: readonly Buffer[]) => {
          const found: string[] = []
          let text = ''
          const scanner = markerScanner((digits) => digits === expectedDigits, {
            bytes: (part) => void (text += part.toString('latin1')),
            marker: (_, value) => void (found.push(text, value), (text = '')),
          })
          for (const chunk of chunks) scanner.write(chunk)
          scanner.end()
          return [...found, text]
        }
        const chunks: Buffer[] = []
        let from = 0
        for (const cut of cuts) chunks.push(all.subarray(from, (from += cut)))
        expect(scan([...chunks, all.subarray(from)])).toEqual(all.toString('latin1').split(new RegExp(`\x1e${expectedDigits}(\\d{0,3})\x1e`))) // prettier-ignore
      }),
    )
  })

  it('keeps the start and the end of any output without cutting a character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 2, max: 60 }), (parts, maxBytes) => {
        const buffer = createOutputBuffer(maxBytes)
        const whole = Buffer.from(parts.join(''))
        for (let at = 0; at < whole.length; at += 3) buffer.add(whole.subarray(at, at + 3))
        const { text, truncated } = buffer.end()
        expect(buffer.totalBytes).toBe(whole.length)
        expect(truncated).toBe(whole.length > maxBytes)
        const [, first = text, leftOut = '0', last = ''] = /^([^]*)\n\[\.\.\. (\d+) bytes left out \.\.\.\]\n([^]*)$/.exec(text) ?? []
        expect(whole.toString()).toBe(first + whole.subarray(Buffer.byteLength(first), whole.length - Buffer.byteLength(last)).toString() + last) // prettier-ignore
        expect(Buffer.byteLength(first) + Number(leftOut) + Buffer.byteLength(last)).toBe(whole.length)
      }),
    )
  })

  it('removes escape sequences and nothing else', () => {
    const sequence = fc.constantFrom(
      '\x1b[31m',
      '\x1b[?25l',
      '\x1b]0;a title\x07',
      '\x1b]8;;link\x1b\\',
      '\x1bP1$r\x1b\\',
      '\x1b(B',
      '\x1b7',
      '\x1b[3\x18',
      '\x1b\x1b[K',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), sequence)), (pairs) => {
        expect(withoutEscapes(pairs.flat().join(''))).toBe(pairs.map(([text]) => text).join(''))
      }),
    )
    expect(withoutEscapes('text \x1b]0;never ends')).toBe('text ')
  })

  it.each([
    ['exit\n', 'exit', false, ''],
    ['exit\nexit\n', 'echo exit; exit 3', false, 'exit\n'],
    ['a\nexit\nbye\n', 'exit 3', false, 'a\nbye\n'],
    ['exited\n', 'exit', false, 'exited\n'],
    ['exit\n', 'echo exit; false', true, 'exit\n'],
    ['exit\n', 'exec sh script', false, 'exit\n'],
    ['a\nexit\n', 'exec 2>&1; echo a; exit 1', false, 'a\n'],
    ['a\nexit\n', 'if true; then exit 137; fi', true, 'a\n'],
  ])('cleans the output %j of the command %j', (text, ofCommand, mayLackExitLine, expected) => {
    expect(withoutExitLine(text, ofCommand, mayLackExitLine)).toBe(expected)
  })
})
