import { expect, test } from 'vitest'
import { KEYMAP, OWN_LETTERS, isSingleKey, pressed, printKey } from './keymap.ts'

const press = (key: string, more: Partial<Parameters<typeof pressed>[1]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

const lettersOf = (groups: (group: string) => boolean) => {
  const letters = Object.entries(KEYMAP)
    .filter(([, { group }]) => groups(group))
    .flatMap(([id, { keys }]) => keys.filter((key) => isSingleKey(key)).map((key) => [key, id] as const))
  return [...Map.groupBy(letters, ([key]) => key)].filter(([, uses]) => uses.length > 1)
}

test('a letter has one meaning in the whole app, apart from the review of a change', () => {
  expect(lettersOf((group) => group !== OWN_LETTERS)).toEqual([])
  expect(lettersOf((group) => [OWN_LETTERS, 'Everywhere', 'Lists'].includes(group))).toEqual([])
})

test('keys reserved by browsers are not used', () => {
  const taken = Object.values(KEYMAP).flatMap(({ keys }) => [...keys] as string[])
  for (const key of ['mod+n', 'mod+t', 'mod+w', 'mod+1']) expect(taken).not.toContain(key)
})

test('Ctrl on Linux and Cmd on a Mac are the same key', () => {
  expect(pressed('mod+k', press('k', { ctrlKey: true }), false)).toBe(true)
  expect(pressed('mod+k', press('k', { metaKey: true }), false)).toBe(false)
  expect(pressed('mod+k', press('k', { metaKey: true }), true)).toBe(true)
  expect(pressed('mod+k', press('k', { ctrlKey: true }), true)).toBe(false)
})

test('a letter with Ctrl or Alt is not the plain letter', () => {
  expect(pressed('g', press('g'))).toBe(true)
  expect(pressed('g', press('g', { ctrlKey: true }))).toBe(false)
  expect(pressed('g', press('g', { altKey: true }))).toBe(false)
})

test('Shift distinguishes capital letters, also with Caps Lock', () => {
  expect(pressed('z', press('Z', { shiftKey: true }))).toBe(false)
  expect(pressed('shift+z', press('Z', { shiftKey: true }))).toBe(true)
  expect(pressed('z', press('Z'))).toBe(true)
})

test('characters match by character, whatever keys produce them', () => {
  expect(pressed('?', press('?', { shiftKey: true }))).toBe(true)
  expect(pressed('/', press('/', { shiftKey: true }))).toBe(true)
  // AltGr+8 on a German keyboard.
  expect(pressed('[', press('[', { ctrlKey: true, altKey: true }), false)).toBe(true)
  expect(pressed('[', press('[', { ctrlKey: true }), false)).toBe(false)
})

test('keys are printed with the names used on the platform', () => {
  expect(printKey('mod+k', false)).toBe('Ctrl+K')
  expect(printKey('mod+k', true)).toBe('⌘K')
  expect(printKey('shift+ArrowDown', false)).toBe('Shift+↓')
  expect(printKey('Escape', false)).toBe('Esc')
})
