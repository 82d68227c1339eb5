import { Copy } from 'lucide-react'
import { IconButton } from './button.tsx'
import { cn } from './cn.ts'
import { copyText } from './copy-text.ts'
import { Visible } from './visible.tsx'

/** Code or output with its own scrolling and a copy button. */
export function CodeBlock({ text, label, wrap = false, className }: { text: string; label: string; wrap?: boolean; className?: string }) {
  return (
    <div className={cn('group relative flex flex-col rounded border border-line bg-bg', className)}>
      <pre
        // A scrolling region must be reachable by keyboard (WCAG 2.1.1).
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cn(
          'focus-inset min-h-0 overflow-auto p-3 font-mono text-xs leading-[1.45]',
          wrap && 'pr-11 break-words whitespace-pre-wrap',
        )}
      >
        <Visible text={text} />
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded bg-bg">
        <IconButton label={`Copy ${label}`} icon={Copy} size="small" onClick={() => void copyText(text)} />
      </div>
    </div>
  )
}

/** A unified diff. The + and − signs stay in the text, so that colour is not the only difference. */
export function DiffBlock({ diff, label, className }: { diff: string; label: string; className?: string }) {
  // the header of a patch file repeats the label
  const lines = diff
    .replace(/^Index: .*\n=+\n/, '')
    .replace(/\n$/, '')
    .split('\n')
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className={cn('focus-inset overflow-auto rounded border border-line bg-bg py-2 font-mono text-xs leading-[1.45]', className)}
    >
      <div className="min-w-max">
        {lines.map((line, index) => (
          // a diff is never reordered, so the line number is its identity
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={cn('px-3 whitespace-pre', diffTone(line))}>
            <Visible text={line === '' ? ' ' : line} />
          </div>
        ))}
      </div>
    </div>
  )
}

function diffTone(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'text-second'
  if (line.startsWith('+')) return 'bg-ok/12 text-text'
  if (line.startsWith('-')) return 'bg-bad/12 text-text'
  if (line.startsWith('@@')) return 'text-accent'
  return 'text-second'
}
