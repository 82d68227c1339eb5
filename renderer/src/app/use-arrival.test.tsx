import { cleanup, render, screen } from '@testing-library/react'
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
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(Element.prototype, 'checkVisibility')
})

it('puts the focus on the content when what had it is elsewhere, gone, or hidden', () => {
  const { rerender } = render(<Shell path="/a" />)
  expect(focused()).toBe(document.body) // a page that is loaded is the browser's
  for (const [at, name] of ['Models', '/b1', 'Training'].entries()) {
    rerender(<Shell path={`/b${at}`} />)
    screen.getByText(name).focus()
    rerender(<Shell path={`/c${at}`} isHidden={name === 'Training'} />)
    expect([name, focused()]).toEqual([name, main()])
  }
})

it('leaves it where it stays in sight: in the content, or in a window above it', () => {
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
