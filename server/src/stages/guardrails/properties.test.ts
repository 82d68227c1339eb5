import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import { evaluate } from './engine.ts'

/** Commands that are blocked on their own, as lists of words. */
const BLOCKED = [
  ['rm', '-rf', '/'],
  ['rm', '-r', '-f', '/etc'],
  ['find', '/', '-delete'],
  ['chmod', '-R', '777', '/'],
  ['dd', 'if=/dev/zero', 'of=/dev/sda'],
  ['mkfs.ext4', '/dev/sda1'],
]
const quotes: ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => Array.from(word, (char) => `\\${char}`).join(''),
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `$'${Array.from(word, (char) => String.raw`\x${char.charCodeAt(0).toString(16)}`).join('')}'`,
  (word) => `$(echo '${word}')`,
  (word) => `"$(printf %s '${word}')"`,
  (word) => `\${unset_:-${word}}`,
  (word) => `{${word},${word}}`,
]
const wrappers: ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `echo ${quoted(command)} | bash`,
  (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`,
  (command) => `bash <<'END${command.length}'\n${command}\nEND${command.length}\n`,
  (command) => `true && { ${command}; }`,
  (command) => `(${command})`,
  (command) => `if test -e x; then ${command}; fi`,
  (command) => `for _ in 1 2; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `echo "$( ${command} )"`,
  (command) => `X=${quoted(command)}; eval "$X"`,
  (command) => `env -i A=b nohup timeout 5 sh -c ${quoted(command)}`,
  (command) => `echo a; ${command} # b`,
]
const space = fc.constantFrom(' ', '  ', '\t', ' \\\n ')
const blocked = fc
  .record({ words: fc.constantFrom(...BLOCKED), how: fc.array(fc.constantFrom(...quotes), { minLength: 5, maxLength: 5 }), space })
  .map(({ words, how, space: between }) => words.map((word, index) => how[index]!(word)).join(between))

it('blocks a dangerous command however it is quoted or wrapped', () => {
  fc.assert(
    fc.property(blocked, fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }), (command, around) => {
      const whole = around.reduce((inner, wrap) => wrap(inner), command)
      expect(`${evaluate(whole, 'native', '/home/dev/project').verdict} ${whole}`).toBe(`block ${whole}`)
    }),
    { numRuns: 2_000 },
  )
})

it('gives a verdict on any text, with a span inside that text', () => {
  const piece = fc.constantFrom(
    'rm -rf /',
    'X=',
    '$X',
    '"',
    "'",
    '`',
    '$(',
    ')',
    '{',
    '}',
    ',',
    '<<A\n',
    'A\n',
    '|',
    '&&',
    '\\',
    '${',
    ':-',
    ' ',
    '\n',
    'a',
    '~',
    '*',
    '\0',
    '😀',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      const { verdict, rule, span, reason } = evaluate(text, 'sandbox', null)
      expect([verdict === 'allow', rule === null, reason === null]).toEqual(Array(3).fill(rule === null))
      expect(span === null || (0 <= span.start && span.start <= span.end && span.end <= text.length)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

/** Milliseconds of processor time of the faster of two runs; a busy machine changes it little, unlike the time on the clock. */
const timeOf = (command: string) =>
  Math.min(
    ...Array.from({ length: 2 }, () => {
      const start = process.threadCpuUsage()
      evaluate(command, 'native', '/home/dev/project')
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }),
  )

it.each([
  ['commands', 'echo hello && ls -la | grep x\n'],
  ['substitutions', 'echo $(echo $(echo a))\n'],
  ['variables', 'X=$X$X; echo "$X"\n'],
  ['appending', 'A+=(x); '],
  ['loops', 'for i in {1..50}; do echo $i; done\n'],
  ['functions', 'f(){ f1; }; f\n'],
  ['braces', `echo {a,b}${'{'.repeat(200)} `],
  ['stars', `rm -rf $X/${'.*'.repeat(30)}x `],
  ['actions of find', 'find . -exec a ; '],
  ['prefixes', 'env '],
  ['backticks', 'echo "`ls`" '],
  ['unclosed substitutions', '$('],
])('takes time linear in its length: %s', (_, seed) => {
  const text = seed.repeat(Math.ceil((128 * 1024) / seed.length))
  const [short, long] = [timeOf(text.slice(0, 32 * 1024)), timeOf(text.slice(0, 128 * 1024))]
  expect(long / Math.max(short, 10)).toBeLessThan(10) // 4 times as long; quadratic would be 16
})
