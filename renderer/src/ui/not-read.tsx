import { Button } from './button.tsx'
import { plural } from './format.ts'
import { ButtonLink, TextLink } from './link.tsx'
import { describeError, EmptyState, ErrorState } from './states.tsx'

interface Place {
  href: string
  label: string
}

/** An address that names nothing, or nothing any more. `what` is the name of one such thing: "run". */
export const NoSuch = ({ what, all }: { what: string; all: Place }) => (
  <EmptyState title={`No such ${what}`} action={<ButtonLink href={all.href}>{all.label}</ButtonLink>}>
    It may have been deleted, or the link may be incomplete.
  </EmptyState>
)

/** Whether nothing is at the address that was read: no trying again helps. */
export function isGone(error: unknown): boolean {
  const { code } = describeError(error)
  return code !== null && (code.endsWith('_not_found') || code === 'invalid_request')
}

/** What an address names was not read: it is not there, or reading it failed. */
export const NotRead = ({ what, error, retry, all }: { what: string; error: unknown; retry: () => void; all: Place }) =>
  isGone(error) ? (
    <NoSuch what={what} all={all} />
  ) : (
    <ErrorState
      className="m-6"
      title={`Couldn't load the ${what}`}
      error={error}
      retry={retry}
      action={<TextLink href={all.href}>{all.label}</TextLink>}
    />
  )

/** Of several that an address names, how many are not there: typed wrong, or deleted since. `what` as for `NoSuch`. */
export const goneSentence = (count: number, what: string): string =>
  `${plural(count, what)} in this link no longer ${count === 1 ? 'exists' : 'exist'}.`

/** The same above what is left, with the way to an address without them. */
export const SomeGone = ({ count, what, onLeaveOut }: { count: number; what: string; onLeaveOut: () => void }) => (
  <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-second">
    {count > 0 ? (
      <>
        <span className="text-warn">{goneSentence(count, what)}</span> The others are compared.
        <Button size="small" onClick={onLeaveOut}>
          Remove {count === 1 ? 'it' : 'them'}
        </Button>
      </>
    ) : null}
  </p>
)
