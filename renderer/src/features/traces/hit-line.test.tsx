import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Marked } from './hit-line.tsx'

const TEXT = 'Why e\u0301clair and 認証完了, eclairs'

test('a text shows its words marked, each once, and is otherwise as it was', () => {
  const { container } = render(<Marked text={TEXT} words={['éclair', '証完', 'why', 'and', 'd 認']} />)
  expect(container.textContent).toBe(TEXT)
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Why', 'e\u0301clair', 'and', '証完'])
})
