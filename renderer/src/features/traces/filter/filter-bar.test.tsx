import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { parseUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { FilterBar } from './filter-bar.tsx'

afterEach(cleanup)

const facets = {
  total: 3,
  tier: [{ value: 'gold', count: 2 }],
  repo: [{ value: 'web app', count: 3 }],
  agent: [],
  verification: [],
  tag: [],
  tool: [],
  model: [],
}

function show(q: string) {
  const onChange = vi.fn<ChangeUrl>()
  render(
    <TooltipProvider>
      <FilterBar
        ref={createRef()}
        url={parseUrl(`?q=${encodeURIComponent(q)}`)}
        onChange={onChange}
        facets={facets}
        facetsOpen={false}
        onFacets={() => undefined}
      />
    </TooltipProvider>,
  )
  return { onChange, field: screen.getByRole('combobox') }
}

describe('the filter bar', () => {
  it('offers real values with their counts and takes the marked one', () => {
    const { field } = show('')
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: 'repo:', selectionStart: 5 } })
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['web app3'])
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect((field as HTMLInputElement).value).toBe('repo:"web app" ')
  })

  it('marks a term that it cannot read, and says that it does not count', () => {
    const { field } = show('tier:gold teir:x')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText(/does not count/).textContent).toContain('There is no field "teir"')
  })

  it('takes a term out by its chip', () => {
    const { onChange } = show('tier:gold repo:api')
    fireEvent.click(screen.getByRole('button', { name: 'Remove tier gold' }))
    expect(onChange).toHaveBeenCalledWith({ q: 'repo:api' })
  })

  it('sends the whole text on Enter', () => {
    const { onChange, field } = show('')
    fireEvent.change(field, { target: { value: 'tier:gold ', selectionStart: 10 } })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(onChange).toHaveBeenCalledWith({ q: 'tier:gold' })
  })
})
