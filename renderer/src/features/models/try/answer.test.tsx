import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AnswerView } from './answer.tsx'
import { type Answer, WAITING, withChunk } from './conversation.ts'

const partialAnswer = withChunk(WAITING, { type: 'text', text: 'half of', tokens: 12, ms: 400, tokensPerSec: 34.5 })
const shownText = (answer: Answer) => {
  const { unmount } = render(<AnswerView side="Base model" answer={answer} />)
  const text = screen.getByRole('article').textContent
  unmount()
  return text
}

test('a stopped or failed answer keeps its text and figures so far', () => {
  const figures = '12 tokens · 34.5 tokens/s · first after 400 ms · 400 ms in total'
  expect(shownText({ ...partialAnswer, state: 'stopped' })).toBe(`half ofstopped${figures}grammar for tool calls off`)
  expect(shownText({ ...partialAnswer, state: 'failed', error: 'It is gone.' })).toBe(`half ofIt is gone.${figures}`)
  expect(shownText(partialAnswer)).toBe('half of')
  expect(shownText({ ...WAITING, state: 'failed', error: 'It is gone.' })).toBe('It is gone.')
})

test('an answer stopped while it wrote a tool call says that it has no visible text', () => {
  const calling = withChunk(WAITING, { type: 'text', text: '', tokens: 9, ms: 100, tokensPerSec: 90 })
  expect(shownText({ ...calling, state: 'stopped' })).toContain('It produced no visible text.')
})

test('hidden characters in answers and calls are marked, and the original text is kept', () => {
  const calls = [{ name: 'Bash', arguments: { command: 'cat ./\u{202E}txt.sh' }, raw: '' }]
  render(<AnswerView side="Base model" answer={{ ...WAITING, text: 'Run \u{2066}this', calls, state: 'done' }} />)
  const article = screen.getByRole('article')
  expect([...article.querySelectorAll('bdi')].map((mark) => mark.dataset['sign'])).toEqual(['U+2066', 'U+202E'])
  expect(article.textContent).toContain('Run \u{2066}this')
  expect(article.textContent).toContain('$ cat ./\u{202E}txt.sh')
})

test('one click shows the raw text, and the answer says whether a grammar constrained its calls', () => {
  const read = withChunk(partialAnswer, { type: 'read', text: 'Look.', raw: 'Look.\n<tool_call>{"name": "Bash"}</tool_call>' })
  const called = withChunk(read, { type: 'tool_call', name: 'Bash', arguments: { command: 'ls' }, raw: '' })
  const answer = withChunk(called, { type: 'done', tokens: 9, ms: 1, firstTokenMs: 1, tokensPerSec: 1, cut: true })
  const { rerender } = render(<AnswerView side="Trained model" answer={answer} />)
  const article = screen.getByRole('article')
  expect(article.textContent).toContain('$ ls')
  expect(article.textContent).not.toContain('<tool_call>')
  expect(article.textContent).toContain('cut at the max answer length')
  fireEvent.click(screen.getByRole('button', { name: 'Raw text' }))
  expect(article.textContent).toContain('Look.\n<tool_call>{"name": "Bash"}</tool_call>')
  expect(article.textContent).not.toContain('$ ls')
  rerender(<AnswerView side="Trained model" answer={{ ...answer, grammar: true, raw: null }} />)
  expect(article.textContent).toContain('grammar for tool calls on')
  expect(screen.queryByRole('button')).toBeNull()
})
