import { Copy, ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { Dialog } from './dialog.tsx'
import { visible } from './visible.tsx'

const useOpenRequest = create<{ address: URL | null }>(() => ({ address: null }))
const setAddress = (address: URL | null) => useOpenRequest.setState({ address })

/** Only absolute web addresses: a relative one would open the app, and other schemes start programs. */
function webAddress(href: string | undefined): URL | null {
  const address = href === undefined ? null : URL.parse(href)
  return address && ['http:', 'https:'].includes(address.protocol) ? address : null
}

/** Asks before a link is opened that someone else wrote. Anything but a web address is ignored. */
export function askToOpen(href: string): void {
  const address = webAddress(href)
  if (address) setAddress(address)
}

/**
 * A link that someone else wrote. It is a button, so that no kind of click opens it before the dialog has shown the
 * address. Anything but a web address stays text.
 */
export function OutsideLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const address = webAddress(href)
  if (!address) return <span title={href ? visible(href) : undefined}>{children}</span>
  return (
    <button
      type="button"
      role="link"
      title={address.href}
      onClick={() => setAddress(address)}
      className="inline cursor-pointer rounded-sm text-left break-words text-accent underline underline-offset-2"
    >
      {children}
    </button>
  )
}

/** Asks before a link opens in the browser. Rendered once in the app, because a list may unmount the link meanwhile. */
export function OutsideLinkDialog() {
  const { address } = useOpenRequest()
  if (!address) return null
  const close = () => setAddress(null)
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Open this address?"
      description="This link is part of text that Bash Gym did not write. Check where it leads."
      footer={
        <>
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button
            icon={Copy}
            onClick={() => {
              close()
              void copyText(address.href, {
                done: 'Address copied',
                remedy: 'Open the link again, select the address and copy it by hand.',
              })
            }}
          >
            Copy address
          </Button>
          <a
            href={address.href}
            target="_blank"
            rel="noreferrer noopener"
            onClick={close}
            className="inline-flex h-8 shrink-0 items-center gap-2 rounded border border-accent bg-accent px-3 text-sm font-semibold whitespace-nowrap text-on-accent hover:brightness-90"
          >
            <ExternalLink size={14} aria-hidden />
            Open in browser
          </a>
        </>
      }
    >
      <Address address={address} />
    </Dialog>
  )
}

/** The whole address, its host in bold. `URL` writes it in ASCII, so that no letter can imitate another. */
function Address({ address: { protocol, host, href } }: { address: URL }) {
  // a user name may precede the host
  const front = href.slice(protocol.length + 2).split(/[/?#]/, 1)[0]!
  const at = protocol.length + 2 + front.length - host.length
  return (
    <p className="mt-3 rounded border border-line bg-bg p-3 font-mono text-sm break-all text-second">
      {href.slice(0, at)}
      <strong className="text-text">{host}</strong>
      {href.slice(at + host.length)}
    </p>
  )
}
