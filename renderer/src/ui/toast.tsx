import { Toaster as Sonner, toast as sonner } from 'sonner'

/** Undo stays this long, as every act that can be undone promises. */
const UNDO_MS = 10_000

/** Short word above the status bar: never the only place where an error can be read, never a question. */
export const toast = {
  done: (message: string, description?: string) => sonner.success(message, { description }),
  info: (message: string, description?: string) => sonner(message, { description }),
  /** Stays until it is closed. */
  notice: (message: string, description?: string) => sonner(message, { description, duration: Infinity }),
  error: (message: string, description?: string) => sonner.error(message, { description, duration: 12_000 }),
  /** Answers its id, for `dismiss` once it was undone in another way. */
  undo: (message: string, undo: () => void) => sonner(message, { duration: UNDO_MS, action: { label: 'Undo', onClick: undo } }),
  dismiss: (id: string | number) => void sonner.dismiss(id),
}

/** Stands where its words take room, see tokens.css. */
export const Toaster = ({ theme }: { theme: 'dark' | 'light' | 'system' }) => (
  <Sonner
    theme={theme}
    closeButton
    expand
    style={
      {
        '--normal-bg': 'var(--panel)',
        '--normal-border': 'var(--line)',
        '--normal-text': 'var(--text)',
        '--border-radius': '6px',
        fontFamily: 'var(--font-sans)',
      } as React.CSSProperties
    }
    toastOptions={{
      classNames: {
        description: '!text-second',
        success: '!text-text [&_[data-icon]]:text-ok',
        error: '!text-text [&_[data-icon]]:text-bad',
        actionButton: '!h-7 !bg-accent !text-on-accent',
        closeButton: '!bg-raised !text-text !border-line',
      },
    }}
  />
)
