import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleaned, namesToKeep, reasonAgainst } from './check.ts'
import { languageOf } from './language.ts'
import { boundOf, requestFor, requestKey } from './request.ts'
import { restore, swapsBetween } from './restore.ts'

describe('an answer', () => {
  const against = (prompt: string) => ({ prompt, keep: [], others: [], stopped: 'end' as const })

  it('may be short when a script puts no blanks between words; one that was cut off is not called empty', () => {
    expect(reasonAgainst('修好登录页面', against('请修复登录页面的错误'))).toBeNull()
    expect(reasonAgainst('', { ...against('mend the login'), stopped: 'length' })).toBe('cut off') // not a word of it, as of a model that thinks long
    expect(reasonAgainst('好', against('请修复登录页面的错误'))).toBe('empty')
    expect(reasonAgainst('fix it', against('mend the login'))).toBe('empty')
  })
})

describe('a request', () => {
  it('is never longer in tokens than its bound', () => {
    const request = requestFor('Почини тест 🙂', ['src/a.ts'], 1, 'm', 64)
    expect(boundOf(request).input).toBeGreaterThan(Buffer.byteLength(request.messages[0].content))
    expect(boundOf(request).output).toBe(64)
  })

  it('has a key of its own for each provider, model, prompt, example and variant', () => {
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
    expect(requestKey('anthropic', requestFor('a', ['x'], 1, 'm', 64), 'e1', 1), 'answers are stored under it').toBe(paid)
  })
})

describe('an answer', () => {
  const prompt = 'Please fix the failing test in `src/sum.test.ts`, the one that calls addAll().'
  const keep = ['src/sum.test.ts', 'addAll']
  const good = 'The test in src/sum.test.ts that calls addAll() does not pass at the moment: make it green.'
  const rejectionReason = (text: string, more: Partial<Parameters<typeof reasonAgainst>[1]> = {}) =>
    reasonAgainst(cleaned(text), { prompt, keep, others: [], stopped: 'end', ...more })

  it('is taken when it says the same in other words, also in the marks that models like', () => {
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
  ])('%j is no variant: %s', ([text, reason]) => expect(rejectionReason(text!)).toBe(reason))

  it('is no variant when it was cut off, refused, or said before', () => {
    expect(rejectionReason(good, { stopped: 'length' })).toBe('cut off')
    expect(rejectionReason(good, { stopped: 'refusal' })).toBe('refusal')
    expect(rejectionReason(good, { others: [good.replace('green', 'Green')] })).toBe('same as another variant')
  })

  it('must repeat the names that the solution works with, and only those', () => {
    const asked =
      'Rename `parse it` in lib/parse_args.ts, call readFile() and bump package.json to 2.0, e.g. for UserList or user_id; see README.'
    expect(namesToKeep(asked, 'lib/parse_args.ts package.json UserList user_id readFile')).toEqual([
      'lib/parse_args.ts',
      'readFile',
      'package.json',
      'UserList',
      'user_id',
    ])
  })

  it('is identified by its language when that is plain', () => {
    expect(languageOf(prompt)).toBe('en')
    expect(languageOf('Bitte behebe den Fehler in der Datei, die nicht gelesen wird.')).toBe('de')
    expect(languageOf('テストを直してください。')).toBe('ja')
    expect(languageOf('Почини, пожалуйста, тест.')).toBe('cyrillic')
    expect(languageOf('npm test')).toBeNull()
  })
})

describe('what the gate put in', () => {
  it('is taken out again when it is a word by itself', () => {
    const swaps = swapsBetween(
      'Mail ada@engines.io about /home/ada/app.ts, key sk-1.',
      'Mail joe@example.com about /home/kim/app.ts, key [API_KEY].',
    )
    expect(restore('Look at /home/kim/app.ts and /home/kim/b.ts, then mail joe@example.com. Not kimono. [API_KEY]', swaps)).toBe(
      'Look at /home/ada/app.ts and /home/ada/b.ts, then mail ada@engines.io. Not kimono. [API_KEY]',
    )
  })

  it('stays when one stand-in is for two values, and when nothing was replaced', () => {
    expect(swapsBetween('from anna to berta', 'from X to X')).toEqual([])
    expect(swapsBetween('as it is', 'as it is')).toEqual([])
  })

  it('of any words gives back exactly what was there', () => {
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
