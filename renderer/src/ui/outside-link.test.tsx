import { fireEvent, render, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OutsideLink, OutsideLinkDialog } from './outside-link.tsx'
import { TooltipProvider } from './tooltip.tsx'

const show = (href: string) =>
  render(
    <TooltipProvider>
      <OutsideLink href={href}>the guide</OutsideLink>
      <OutsideLinkDialog />
    </TooltipProvider>,
  )

it('shows the whole address with its host before anything can open it', () => {
  const { container } = show('https://github.com:x@exаmple.org:8443/a/github.com?q=@b#@c') // a Cyrillic letter in the host
  expect(container.querySelector('a')).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: 'the guide' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Open this address?' }))
  const host = dialog.getByText('xn--exmple-4nf.org:8443')
  expect(host.tagName).toBe('STRONG')
  expect(host.parentElement?.textContent).toBe('https://github.com:x@xn--exmple-4nf.org:8443/a/github.com?q=@b#@c')
  const open = dialog.getByRole('link', { name: 'Open in browser' })
  expect(open.getAttribute('href')).toBe(host.parentElement?.textContent)
  expect(open.getAttribute('target')).toBe('_blank')
  expect(open.getAttribute('rel')).toBe('noreferrer noopener')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('copies the address instead', () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  show('http://127.0.0.1:3000/x')
  fireEvent.click(screen.getByRole('link', { name: 'the guide' }))
  fireEvent.click(screen.getByRole('button', { name: 'Copy address' }))
  expect(writeText).toHaveBeenCalledWith('http://127.0.0.1:3000/x')
  expect(screen.queryByRole('dialog')).toBeNull()
  vi.unstubAllGlobals()
})

it.each(['/settings/training', '#code=1', 'mailto:a@example.org', 'file:///etc/passwd', 'javascript:alert(1)', 'vscode://file/x', ''])(
  'leaves %s as text',
  (href) => {
    show(href)
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByText('the guide')).toBeTruthy()
  },
)
