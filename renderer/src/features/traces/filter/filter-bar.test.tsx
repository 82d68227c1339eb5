import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { traceKeys } from '#renderer/api/traces.ts'
import { createQueryClient } from '#renderer/api/query-client.ts'
import { TooltipProvider } from '#renderer/ui/tooltip.tsx'
import { parseUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { FilterBar } from './filter-bar.tsx'

beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)))

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

/** The facets of a half-typed term, which matches nothing. */
const nothing = { ...facets, total: 0, tier: [], repo: [] }

function show(q: string) {
  const onChange = vi.fn<ChangeUrl>()
  const queries = createQueryClient(() => undefined)
  queries.setQueryData(traceKeys.facetsOf({}), facets)
  queries.setQueryData(traceKeys.facetsOf({ q: 'tier:gold' }), { ...facets, repo: [{ value: 'api', count: 1 }] })
  queries.setQueryData(traceKeys.facetsOf({ q: 'repo:we' }), nothing)
  const bar = (now: string) => (
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <FilterBar
          ref={createRef()}
          url={parseUrl(`?q=${encodeURIComponent(now)}`)}
          onChange={onChange}
          facetsOpen={false}
          onFacets={() => undefined}
          onTyping={() => undefined}
        />
      </TooltipProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(bar(q))
  return { onChange, field: screen.getByRole('combobox'), arrive: (now: string) => rerender(bar(now)) }
}

describe('the filter bar', () => {
  it('offers existing values with their counts and inserts the marked one', () => {
    const { field } = show('')
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: 'repo:', selectionStart: 5 } })
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['web app3'])
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect((field as HTMLInputElement).value).toBe('repo:"web app" ')
  })

  it('still offers them when the half-typed term is applied and matches nothing', () => {
    const { field, arrive } = show('')
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: 'repo:we', selectionStart: 7 } })
    arrive('repo:we')
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['web app3'])
  })

  it('counts under the other terms', () => {
    const { field } = show('tier:gold')
    fireEvent.focus(field)
    fireEvent.change(field, { target: { value: 'tier:gold repo:', selectionStart: 15 } })
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['api1'])
  })

  it('marks an invalid term and explains the error', () => {
    const { field } = show('tier:gold teir:x')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Unknown field "teir". Did you mean tier?')).toBeTruthy()
  })

  it('shows that a value is excluded', () => {
    show('exit:!0 -tag:private')
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['exit not 0', 'not tag private'])
  })

  it('removes a term by its chip', () => {
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
