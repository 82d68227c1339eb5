import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Page } from '#renderer/ui/page.tsx'
import { useArrival } from './use-arrival.ts'

function Shell({ path, isHidden = false }: { path: string; isHidden?: boolean }) {
  useArrival(path)
  return (
    <>
      <a href="/models">Models</a>
      <div role="dialog">
        <button>Close</button>
      </div>
      <main id="content" tabIndex={-1}>
        <nav style={{ display: isHidden ? 'none' : 'block' }}>
          <a href="/settings/training">Training</a>
        </nav>
        <Page key={path} title={path.slice(1)}>
          <button key={path}>{path}</button>
        </Page>
      </main>
    </>
  )
}
const focused = () => document.activeElement
const main = () => screen.getByRole('main')

beforeEach(() => {
  // jsdom draws nothing
  Element.prototype.checkVisibility = vi.fn(function visible(this: Element) {
    return this.closest('[style*="display: none"]') === null
  })
})
afterEach(() => Reflect.deleteProperty(Element.prototype, 'checkVisibility'))

it('focuses the content when the focused element is outside it, removed, or hidden', () => {
  const { rerender } = render(<Shell path="/a" />)
  expect(focused()).toBe(document.body) // on the first page the browser decides
  for (const [at, name] of ['Models', '/b1', 'Training'].entries()) {
    rerender(<Shell path={`/b${at}`} />)
    screen.getByText(name).focus()
    rerender(<Shell path={`/c${at}`} isHidden={name === 'Training'} />)
    expect([name, focused()]).toEqual([name, main()])
  }
})

it('leaves the focus on an element that stays visible: in the content, or in a dialog above it', () => {
  const { rerender } = render(<Shell path="/a" />)
  for (const name of ['Training', 'Close']) {
    screen.getByText(name).focus()
    rerender(<Shell path={`/${name}`} />)
    expect(focused()?.textContent).toBe(name)
  }
})

it('names the content by its page', () => {
  const { rerender } = render(<Shell path="/a" />)
  expect(main().getAttribute('aria-label')).toBe('a')
  rerender(<Shell path="/b" />)
  expect(main().getAttribute('aria-label')).toBe('b')
})
