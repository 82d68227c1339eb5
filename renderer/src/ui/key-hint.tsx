import { cn } from './cn.ts'

/** The key of an action, on buttons, in menus and in the key map. */
export function KeyHint({ keys, on = 'surface' }: { keys: string; on?: 'surface' | 'accent' }) {
  return (
    <kbd
      aria-hidden
      className={cn(
        'rounded-sm border px-1 font-mono text-xs leading-4 font-normal',
        on === 'accent' ? 'border-on-accent/50 text-on-accent' : 'border-line text-second',
      )}
    >
      {keys}
    </kbd>
  )
}
