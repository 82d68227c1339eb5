import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandFor } from './hook-command.ts'
import { eventsFor } from './client-events.ts'
import { ourHandlers, parseSettings, withHooks, withoutHooks } from './settings-hooks.ts'

const command = commandFor("/home/o'brien dev/ü/.bashgym/hook")
const install = (text: string, version: string | null = '2.1.329') => withHooks(text, { command, events: eventsFor(version) })

/** Any whitespace that JSON allows. */
const gap = fc.stringMatching(/^[ \t\r\n]{0,4}$/)
const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('10', '__proto__', 'hooks!', 'ünïcode', '2', 'constructor'))
const number = fc.constantFrom('0', '-0', '1e400', '12345678901234567890123', '1.50', '-1E-7', '3.10')

type Texts = { value: string }
const texts = fc.letrec<Texts>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      number,
      fc.constantFrom('true', 'false', 'null'),
      fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
      fc.constantFrom('"\\u00e9\\/"', '"\\ud800"'),
    ),
    objectText(fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 4 })),
    listText(fc.array(tie('value'), { maxLength: 4 })),
  ),
}))
const anyValue = texts.value

function objectText(members: fc.Arbitrary<[string, string][]>) {
  return fc
    .tuple(members, fc.infiniteStream(gap), gap)
    .map(([list, gaps, inner]) =>
      list.length === 0
        ? `{${inner}}`
        : `{${list.map(([name, value]) => `${next(gaps)}${JSON.stringify(name)}${next(gaps)}:${next(gaps)}${value}${next(gaps)}`).join(',')}}`,
    )
}
function listText(items: fc.Arbitrary<string[]>) {
  return fc
    .tuple(items, fc.infiniteStream(gap), gap)
    .map(([list, gaps, inner]) =>
      list.length === 0 ? `[${inner}]` : `[${list.map((value) => next(gaps) + value + next(gaps)).join(',')}]`,
    )
}
const next = (stream: IterableIterator<string>) => stream.next().value as string

const handler = objectText(
  fc.tuple(
    fc.constant<[string, string]>(['type', '"command"']),
    fc.string().map((text): [string, string] => ['command', JSON.stringify(text)]),
  ),
)
const group = fc
  .tuple(
    fc.option(
      fc.string().map((text): [string, string] => ['matcher', JSON.stringify(text)]),
      { nil: null },
    ),
    listText(fc.array(handler, { maxLength: 2 })),
  )
  .chain(([matcher, handlers]) =>
    objectText(fc.constant([...(matcher === null ? [] : [matcher]), ['hooks', handlers] as [string, string]])),
  )
const hooks = objectText(
  fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('Stop', 'PostToolUse', 'PreToolUse', 'SessionEnd', '10', '__proto__'),
      listText(fc.array(group, { maxLength: 2 })),
    ),
    {
      selector: ([event]) => event,
      maxLength: 4,
    },
  ),
)
/** Any settings file with well-formed hooks, in any layout, with or without a byte order mark. */
const settingsText = fc
  .tuple(
    fc.uniqueArray(
      fc.tuple(
        key.filter((name) => name !== 'hooks'),
        anyValue,
      ),
      { selector: ([name]) => name, maxLength: 4 },
    ),
    fc.option(hooks, { nil: null }),
    fc.nat(),
    gap,
    gap,
    fc.constantFrom('', '\uFEFF'),
  )
  .chain(([members, hooksText, position, before, after, bom]) => {
    const all = [...members]
    if (hooksText !== null) all.splice(position % (all.length + 1), 0, ['hooks', hooksText])
    return objectText(fc.constant(all)).map((text) => bom + before + text + after)
  })

describe('our entries in the text of a settings file', () => {
  it('restores the same bytes after install and uninstall, for any valid file in any layout', () => {
    fc.assert(
      fc.property(settingsText, fc.constantFrom(null, '1.0.128', '2.0.76', '2.1.50', '2.1.329'), (text, version) => {
        const installed = install(text, version)
        expect(
          ourHandlers(parseSettings(installed.text))
            .map(({ event }) => event)
            .toSorted(),
        ).toEqual(eventsFor(version).toSorted())
        expect(withoutHooks(installed.text, command, installed.filled)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('changes nothing when installed a second time', () => {
    fc.assert(
      fc.property(settingsText, (text) => {
        const once = install(text).text
        expect(install(once)).toEqual({ text: once, filled: [] })
      }),
    )
  })
})

it.each([
  ['"x"', 'each group of "Stop" must be an object, but is a string'],
  ['[]', 'each group of "Stop" must be an object, but is an array'],
  ['null', 'each group of "Stop" must be an object, but is null'],
])('reports the kind of value that is in place of a group: %s', (group, message) => {
  expect(() => parseSettings(`{"hooks":{"Stop":[${group}]}}`)).toThrow(message)
})
