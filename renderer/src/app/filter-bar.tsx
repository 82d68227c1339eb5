import type { LucideIcon } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { useKeys } from './use-keys.ts'

interface Searched {
  search: URLSearchParams
  change: ChangeSearch
}

interface Props extends Searched {
  /** Accessible name of the search field. */
  label: string
  placeholder: string
  /** More filters, after the search field. */
  children?: ReactNode
  /** At the right. */
  end: ReactNode
}

/** Search field and filters over a list; the search text is `?q=`. */
export function FilterBar({ label, placeholder, search, change, children, end }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <TextInput
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className="w-72 max-w-full"
        value={search.get('q') ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      {children}
      <span className="flex-1" />
      {end}
    </div>
  )
}

/** A filter that is on or off: `?name=1`. */
export function FilterToggle({ name, label, icon, search, change }: Searched & { name: string; label: string; icon: LucideIcon }) {
  const isOn = search.get(name) === '1'
  return (
    <Button
      icon={icon}
      aria-pressed={isOn}
      className={cn(isOn && 'border-accent! text-accent')}
      onClick={() => change({ [name]: isOn ? null : '1' })}
    >
      {label}
    </Button>
  )
}
