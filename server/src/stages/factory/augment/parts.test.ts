import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unwrap, namesToKeep, rejectionOfVariant } from './check.ts'
import { languageOf } from './language.ts'
import { maxTokensOf, requestFor, requestKey } from './request.ts'
import { restore, swapsBetween } from './restore.ts'

describe('an answer', () => {
  const against = (prompt: string) => ({ prompt, keep: [], existing: [], stopped: 'end' as const })

  it('may be short in a script without spaces; is called cut off rather than empty', () => {
    expect(rejectionOfVariant('修好登录页面', against('请修复登录页面的错误'))).toBeNull()
    expect(rejectionOfVariant('', { ...against('mend the login'), stopped: 'length' })).toBe('cut off') // without any text, as from a model that reasons too long
    expect(rejectionOfVariant('好', against('请修复登录页面的错误'))).toBe('empty')
    expect(rejectionOfVariant('fix it', against('mend the login'))).toBe('empty')
  })
})

describe('a request', () => {
  it('never exceeds its maximum of tokens', () => {
    const request = requestFor('Почини тест 🙂', ['src/a.ts'], 1, 'm', 64)
    expect(maxTokensOf(request).input).toBeGreaterThan(Buffer.byteLength(request.messages[0].content))
    expect(maxTokensOf(request).output).toBe(64)
  })

  it('has a different key for each provider, model, prompt, example and variant', () => {
    const keys = [
      requestKey('anthropic', requestFor('a', [], 1, 'm', 64), 'e1', 1),
      requestKey('nim', requestFor('a', [], 1, 'm', 64), 'e1', 1),
      requestKey('anthropic', requestFor('a', [], 1, 'n', 64), 'e1', 1),
      requestKey('anthropic', requestFor('b', [], 1, 'm', 64), 'e1', 1),
      requestKey('anthropic', requestFor('a', [], 1, 'm', 64), 'e2', 1),
      requestKey('anthropic', requestFor('a', [], 2, 'm', 64), 'e1', 2),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(requestKey('anthropic', requestFor('a', [], 1, 'm', 64), 'e1', 1)).toBe(keys[0])
    const paid = '66dee6504e40c7b3cf252a7c00532f290a37b682e77c2804d089eb0c61bea2a5'
    expect(requestKey('anthropic', requestFor('a', ['x'], 1, 'm', 64), 'e1', 1), 'stored answers use this key').toBe(paid)
  })
})

describe('an answer', () => {
  const prompt = 'Please fix the failing test in `src/sum.test.ts`, the one that calls addAll().'
  const keep = ['src/sum.test.ts', 'addAll']
  const good = 'The test in src/sum.test.ts that calls addAll() does not pass at the moment: make it green.'
  const rejectionReason = (text: string, options: Partial<Parameters<typeof rejectionOfVariant>[1]> = {}) =>
    rejectionOfVariant(unwrap(text), { prompt, keep, existing: [], stopped: 'end', ...options })

  it('is accepted as a rewording, also inside quotation marks, tags or a code fence', () => {
    for (const text of [good, ` ${good}\n`, `<request>\n${good}\n</request>`, `"${good}"`, `\`\`\`text\n${good}\n\`\`\``])
      expect(rejectionReason(text)).toBeNull()
  })

  it.for([
    ['', 'empty'],
    ['  \n ', 'empty'],
    [prompt, 'same as the original'],
    [prompt.toUpperCase().replace('SRC/SUM.TEST.TS', 'src/sum.test.ts').replace('ADDALL', 'addAll'), 'same as the original'],
    [`${prompt} `, 'same as the original'],
    ["I'm sorry, but I cannot help with src/sum.test.ts and addAll.", 'refusal'],
    ['As an AI language model I have no access to src/sum.test.ts or addAll.', 'refusal'],
    [`Here is the reworded request:\n\n${good}`, 'extra text around the request'],
    ['Make the test green that does not pass at the moment, the one in src/other.test.ts.', 'required names missing'],
    ['Der Test in src/sum.test.ts, der addAll() aufruft, ist nicht grün. Bitte mach, dass er es ist.', 'different language'],
    [`${good} ${'And then go over all of it once more. '.repeat(30)}`, 'too long'],
  ])('%j is rejected: %s', ([text, reason]) => expect(rejectionReason(text!)).toBe(reason))

  it('is rejected if it was cut off, refused, or equals another variant', () => {
    expect(rejectionReason(good, { stopped: 'length' })).toBe('cut off')
    expect(rejectionReason(good, { stopped: 'refusal' })).toBe('refusal')
    expect(rejectionReason(good, { existing: [good.replace('green', 'Green')] })).toBe('same as another variant')
  })

  it('must repeat exactly the names that the solution uses', () => {
    const prompt =
      'Rename `parse it` in lib/parse_args.ts, call readFile() and bump package.json to 2.0, e.g. for UserList or user_id; see README.'
    expect(namesToKeep(prompt, 'lib/parse_args.ts package.json UserList user_id readFile')).toEqual([
      'lib/parse_args.ts',
      'readFile',
      'package.json',
      'UserList',
      'user_id',
    ])
  })

  it('has a language, if it is clear', () => {
    expect(languageOf(prompt)).toBe('en')
    expect(languageOf('Bitte behebe den Fehler in der Datei, die nicht gelesen wird.')).toBe('de')
    expect(languageOf('テストを直してください。')).toBe('ja')
    expect(languageOf('Почини, пожалуйста, тест.')).toBe('cyrillic')
    expect(languageOf('npm test')).toBeNull()
  })
})

describe('replacements of the gate', () => {
  it('are undone if they are whole words', () => {
    const swaps = swapsBetween(
      'Mail ada@engines.io about /home/ada/app.ts, key sk-1.',
      'Mail joe@example.com about /home/kim/app.ts, key [API_KEY].',
    )
    expect(restore('Look at /home/kim/app.ts and /home/kim/b.ts, then mail joe@example.com. Not kimono. [API_KEY]', swaps)).toBe(
      'Look at /home/ada/app.ts and /home/ada/b.ts, then mail ada@engines.io. Not kimono. [API_KEY]',
    )
  })

  it('are not undone if one replaces two values, or if there are none', () => {
    expect(swapsBetween('from anna to berta', 'from X to X')).toEqual([])
    expect(swapsBetween('as it is', 'as it is')).toEqual([])
  })

  it('are undone exactly in any text', () => {
    const word = fc.stringMatching(/^[a-z]{3,8}$/)
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.uniqueArray(fc.nat(19), { maxLength: 5 }), (words, places) => {
        const original = words.join(' ')
        const cleared = words.map((one, index) => (places.includes(index) ? `stand${index}in` : one)).join(' ')
        expect(restore(cleared, swapsBetween(original, cleared))).toBe(original)
      }),
    )
  })
})
