import { render } from '@testing-library/react'
import Markdown from 'react-markdown'
import { expect, test } from 'vitest'
import { Visible, visible, visibleMarkdown } from './visible.tsx'

const TRICK = 'rm -rf ./\u{202E}gpj.tmp\u{2066}/\u{200B}x\u{E0041}'
const NAMES = ['U+202E', 'U+2066', 'U+200B', 'U+E0041']

const marksIn = (element: Element) => [...element.querySelectorAll('bdi')].map((mark) => mark.dataset['sign'])

test('hidden characters are named and isolated; the text and a copy of it stay the original', () => {
  const { container } = render(<Visible text={TRICK} />)
  expect(marksIn(container)).toEqual(NAMES)
  expect(container.textContent).toBe(TRICK)
})

test('the same in Markdown, also in its code', () => {
  const { container } = render(<Markdown rehypePlugins={[visibleMarkdown]}>{`Run *a\u{202E}b* and \`c\u{200F}d\``}</Markdown>)
  expect(marksIn(container)).toEqual(['U+202E', 'U+200F'])
  expect(container.textContent).toBe('Run a\u{202E}b and c\u{200F}d')
})

test('a tooltip has the names in its text', () => {
  expect(visible('a\u{202E}b\u{1B}')).toBe('a⟨U+202E⟩b⟨U+001B⟩')
})

test.each([
  ['lines and tabs', 'a\n\tb\r\n'],
  ['an emoji of several people', '👩\u{200D}👩\u{200D}👧'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['Persian with joined letters', 'می\u{200C}خواهم'],
])('%s stays unchanged', (_, text) => {
  const { container } = render(<Visible text={text} />)
  expect(container.innerHTML).toBe(text)
})

test('a joiner after a Latin letter is marked', () => {
  const { container } = render(<Visible text={'ls\u{200D} -l'} />)
  expect(marksIn(container)).toEqual(['U+200D'])
})
