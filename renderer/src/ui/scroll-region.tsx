import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** A part that scrolls by itself. Tab reaches it, so that it can be scrolled by keyboard. */
export const ScrollRegion = ({
  label,
  role = 'region',
  className,
  ...rest
}: Omit<ComponentProps<'div'>, 'tabIndex'> & { label: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
  <div {...rest} role={role} aria-label={label} tabIndex={0} className={cn('focus-inset', className)} />
)
