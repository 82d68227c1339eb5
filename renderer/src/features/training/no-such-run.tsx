import { ButtonLink } from '#renderer/ui/link.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'

/** An address that names no run. */
export const NoSuchRun = () => (
  <EmptyState title="There is no such run" action={<ButtonLink href="/training">All runs</ButtonLink>}>
    It may have been deleted, or the address is cut off.
  </EmptyState>
)
