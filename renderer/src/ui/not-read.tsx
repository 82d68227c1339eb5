import { Button } from './button.tsx'
import { plural } from './format.ts'
import { ButtonLink, TextLink } from './link.tsx'
import { describeError, EmptyState, ErrorState } from './states.tsx'

export interface Place {
  href: string
  label: string
}

/** Shown for an address that names nothing. `what` is a noun: "run". */
export const NoSuch = ({ what, all }: { what: string; all: Place }) => (
  <EmptyState title={`No such ${what}`} action={<ButtonLink href={all.href}>{all.label}</ButtonLink>}>
    It may have been deleted, or the link may be incomplete.
  </EmptyState>
)

/** Whether the thing does not exist, so that a retry is of no use. */
export function isMissing(error: unknown): boolean {
  const { code } = describeError(error)
  return code !== null && (code.endsWith('_not_found') || code === 'invalid_request')
}

/** Shown when the thing that an address names could not be loaded, or does not exist. */
export const NotRead = ({ what, error, retry, all }: { what: string; error: unknown; retry: () => void; all: Place }) =>
  isMissing(error) ? (
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

/** How many of the things that an address names don't exist. `what` is a noun, as for `NoSuch`. */
export const missingSentence = (count: number, what: string): string =>
  `${plural(count, what)} in this link no longer ${count === 1 ? 'exists' : 'exist'}.`

/** The same above the things that exist, with a button that removes the others from the address. */
export const SomeMissing = ({ count, what, onLeaveOut }: { count: number; what: string; onLeaveOut: () => void }) => (
  <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-second">
    {count > 0 ? (
      <>
        <span className="text-warn">{missingSentence(count, what)}</span> The others are compared.
        <Button size="small" onClick={onLeaveOut}>
          Remove {count === 1 ? 'it' : 'them'}
        </Button>
      </>
    ) : null}
  </p>
)
